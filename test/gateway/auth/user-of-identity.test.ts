import assert from 'node:assert/strict';
import { userOfIdentity } from '../../../gateway/auth/user-of-identity.js';
import { newGrant } from '../../support/oauth/new-grant.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import { newSubscription } from '../../support/signals/new-subscription.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const issuer = 'https://id.example';

describe('userOfIdentity', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  let users = 0;
  let email: string;
  const claims = () => ({ issuer, subject: email, email, emailVerified: true }) as never;

  it('signs the same user in when it is repeated after it was cut off', async () => {
    const writes = await cutWrites(context.url, {
      prepare: async () => void (email = `new${++users}@example.com`),
      work: (storage) => userOfIdentity(claims(), storage),
      async check() {
        const made = await userOfIdentity(claims(), context.storage);
        assert.equal(made.email, email);
        assert.equal(await context.storage.identities.userIdOf({ issuer, subject: email }), made.id);
        assert.equal(await context.db.collection('users').countDocuments({ email }), 1);
      },
    });
    assert.equal(writes, 2);
  });

  it('leaves a stranger who signed up with the e-mail no access, wherever it is cut off', async () => {
    const { users: stored, sessions, personalTokens, grants, grantTokens, subscriptions } = context.storage;
    const writes = await cutWrites(context.url, {
      async prepare() {
        email = `taken${++users}@example.com`;
        const stranger = { email, plan: 'free', passwordHash: 'theirs', emailVerified: false } as const;
        const { id: userId } = await stored.add(stranger);
        await sessions.open(userId, 'web');
        const expiresAt = new Date(Date.now() + 86_400_000);
        await personalTokens.add({ userId, name: 'theirs', scopes: ['read:portfolio'], expiresAt });
        await grantTokens.exchange(await grants.consent(newGrant({ userId })));
        await subscriptions.add(newSubscription(userId, 'channel'));
      },
      work: (storage) => userOfIdentity(claims(), storage),
      async check() {
        const { id, emailVerifiedAt, passwordHash } = (await stored.byEmail(email))!;
        const theirs = async () => [
          ...(await sessions.ofUser(id)),
          ...(await personalTokens.ofUser(id)),
          ...(await grants.ofUser(id)),
          ...(await subscriptions.ofUser(id)),
        ];
        // The account counts as the owner's only when the stranger has neither password nor session, token or app.
        if (emailVerifiedAt) assert.deepEqual([passwordHash, await theirs()], [null, []]);
        const owner = await userOfIdentity(claims(), context.storage);
        assert.deepEqual([owner.id, owner.passwordHash, owner.emailVerifiedAt !== null], [id, null, true]);
        assert.deepEqual(await theirs(), []);
      },
    });
    assert.equal(writes, 10);
  });

  it('does not sign in to an account that is being removed', async () => {
    email = `gone${++users}@example.com`;
    const { id } = await userOfIdentity(claims(), context.storage);
    await context.storage.users.beginRemoval(id);
    await assert.rejects(userOfIdentity(claims(), context.storage), { code: 'already_exists' });
  });
});
