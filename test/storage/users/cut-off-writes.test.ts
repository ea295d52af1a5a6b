import assert from 'node:assert/strict';
import { collections } from '../../../storage/servers/open-collection.js';
import { bearerCredential } from '../../../storage/users/credential.js';
import { removeUser } from '../../../storage/users/remove-user.js';
import { replacePassword } from '../../../storage/users/take-account.js';
import { SignedInDirectory } from '../../../storage/users/signed-in-directory.js';
import type { User } from '../../../storage/users/users.js';
import { newGrant } from '../../support/oauth/new-grant.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { collectionsOfUsers, collectionsWith, userWithData } from '../../support/servers/user-data.js';

describe('writes for a user that are cut off', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  let user: User;
  const prepare = async () => void (user = await userWithData(context.storage));

  it('a removal ends all access with its first write, and a repeat completes it', async () => {
    const { users, sessions, grants, grantTokens } = context.storage;
    let token = '';
    let access = '';
    const writes = await cutWrites(context.url, {
      async prepare() {
        await prepare();
        token = await sessions.open(user.id, 'web');
        const code = await grants.consent(newGrant({ userId: user.id }));
        access = (await grantTokens.exchange(code))!.access;
      },
      work: (storage) => removeUser(storage, user.id),
      async check(written) {
        const isUntouched = written === 0;
        const directory = new SignedInDirectory(context.storage, redis.another());
        assert.equal((await directory.find(token)) !== null, isUntouched);
        const app = await directory.ofCredential(bearerCredential(access)!);
        assert.equal(app !== null, isUntouched);
        directory.close();
        for (const found of [await users.byId(user.id), await users.byEmail(user.email)])
          assert.equal(found?.id, isUntouched ? user.id : undefined);
        assert.equal(
          (await users.list()).some(({ id }) => id === user.id),
          isUntouched,
        );
        assert.equal(await users.setPassword(user.id, 'another'), isUntouched);
        const removing = isUntouched ? [] : [{ id: user.id, email: user.email }];
        assert.deepEqual(await users.removing(), removing);
        // The operator who removes the user knows the e-mail alone.
        const found = await users.toRemove(user.email.toUpperCase());
        assert.deepEqual(found, { id: user.id, email: user.email, hasBegun: !isUntouched });
        assert.equal(await removeUser(context.storage, found.id), true);
        assert.deepEqual(await collectionsWith(context.db, user.id), []);
        assert.equal(await removeUser(context.storage, user.id), false);
      },
    });
    assert.equal(writes, 29);
    assert.deepEqual(await collectionsWith(context.db, user.id), []);
    for (const name of Object.keys(collections)) {
      const left = JSON.stringify(await context.db.collection(name).find().toArray());
      assert.ok(!left.includes(user.id), `${name} still names the user`);
    }
  });

  it('a removal leaves the data of others', async () => {
    await prepare();
    const other = user;
    await prepare();
    await removeUser(context.storage, user.id);
    assert.deepEqual(await collectionsWith(context.db, other.id), collectionsOfUsers);
  });

  it('a new password never leaves sessions of the old one', async () => {
    const { users, sessions, grants } = context.storage;
    const writes = await cutWrites(context.url, {
      prepare,
      work: (storage) => replacePassword(storage, user.id, 'new hash', { was: 'hash', tell: user.email }),
      async check() {
        const { passwordHash } = (await users.byId(user.id))!;
        const open = [...(await sessions.ofUser(user.id)), ...(await grants.ofUser(user.id))];
        assert.ok(
          passwordHash === 'hash' || open.length === 0,
          `${open.length} sessions and apps with ${passwordHash}`,
        );
        const told = await context.db
          .collection('mails')
          .countDocuments({ kind: 'changed', email: user.email });
        assert.ok(passwordHash === 'hash' || told === 1, 'no mail tells of the new password');
        assert.notEqual(await replacePassword(context.storage, user.id, 'new hash'), null);
        assert.deepEqual(await sessions.ofUser(user.id), []);
      },
    });
    assert.equal(writes, 8);
  });

  it('a new password leaves the one session that is to stay, and says how many it ended', async () => {
    await prepare();
    const { sessions } = context.storage;
    const [kept] = await sessions.ofUser(user.id);
    const options = { was: 'hash', exceptSessionId: kept.id };
    assert.equal(await replacePassword(context.storage, user.id, 'new hash', options), 1);
    assert.equal(await replacePassword(context.storage, user.id, 'newer hash', options), null);
    assert.deepEqual(await sessions.ofUser(user.id), [kept]);
  });
});
