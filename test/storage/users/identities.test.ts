import assert from 'node:assert/strict';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('IdentityRepository', () => {
  const context = temporaryStorage();
  const identities = () => context.storage.identities;
  const identity = (subject: string) => ({ issuer: 'https://id.example', subject });
  const stored = (userId: string) => context.db.collection('identities').countDocuments({ userId });

  it('keeps the newest 20 identities of a user, and those of others', async () => {
    await identities().link(identity('other'), 'user-2');
    for (let n = 0; n < 25; n++) await identities().link(identity(`${n}`), 'user-1');
    assert.equal(await stored('user-1'), 20);
    assert.equal(await identities().userIdOf(identity('24')), 'user-1');
    assert.equal(await identities().userIdOf(identity('other')), 'user-2');
  });

  it('keeps to that limit when many are linked at the same time', async () => {
    const clients = [context.storage, context.another()];
    const linking = Array.from({ length: 40 }, (_, n) =>
      clients[n % 2].identities.link(identity(`same-${n}`), 'user-3'),
    );
    await Promise.all(linking);
    const left = await stored('user-3');
    assert.ok(left > 0 && left <= 20, String(left));
  });

  it('links an identity to another user, and again to the same', async () => {
    for (const userId of ['user-4', 'user-5', 'user-5']) await identities().link(identity('moved'), userId);
    assert.equal(await identities().userIdOf(identity('moved')), 'user-5');
    assert.deepEqual([await stored('user-4'), await stored('user-5')], [0, 1]);
  });
});
