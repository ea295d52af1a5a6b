import assert from 'node:assert/strict';
import { clientNameOf } from '../../../storage/oauth/clients.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('OauthClientRepository', () => {
  const context = temporaryStorage();
  const clients = () => context.storage.oauthClients;
  const now = Date.now();
  const redirectUris = ['https://app.example/callback'];

  it('registers clients under ids that nobody can guess', async () => {
    const made = await clients().add({ name: 'App', redirectUris }, now);
    assert.match(made.clientId, /^client_[A-Za-z0-9_-]{22}$/);
    assert.deepEqual(made, {
      clientId: made.clientId,
      ...{ name: 'App', redirectUris, createdAt: new Date(now), lastUsedAt: null },
    });
    assert.deepEqual(await clients().find(made.clientId), made);
    assert.equal(await clients().find('client_unknown'), null);
  });

  it('drops those that no user has connected', async () => {
    const used = await clients().add({ name: 'used', redirectUris }, now - 10);
    const idle = await clients().add({ name: 'idle', redirectUris }, now - 10);
    await clients().noteUse(used.clientId, now);
    assert.equal(await clients().dropUnused(new Date(now - 1)), 1);
    assert.deepEqual((await clients().find(used.clientId))?.lastUsedAt, new Date(now));
    assert.equal(await clients().find(idle.clientId), null);
  });

  for (const [given, shown] of [
    ['Claude Code', 'Claude Code'],
    ['  two\n lines\t ', 'two lines'],
    ['<b>bold</b>', '<b>bold</b>'],
    ['evil\u202Egnp.exe', 'evilgnp.exe'],
    ['a\u0000b\u200B\u2066c', 'a bc'],
    ['\u202E\u200F', 'unnamed app'],
    ['', 'unnamed app'],
    ['\u3164\u2800 \u115F\u1160\uFFA0', 'unnamed app'],
    ['Desk\u3164\u3164App', 'Desk App'],
    ['\ud800 half', 'half'],
    ['Desk”. It is verified by Tidemark. “x', "Desk'. It is verified by Tidemark. 'x"],
    ['"a" «b» „c‟ ‹d› ＂e＂', "'a' 'b' 'c' 'd' 'e'"],
    [`z${'\u0301'.repeat(50)}!`, 'ź\u0301\u0301\u0301!'],
    ['x'.repeat(1_000), 'x'.repeat(100)],
    ['😀'.repeat(101), '😀'.repeat(100)],
  ])
    it(`shows the name ${JSON.stringify(given.slice(0, 30))} as ${JSON.stringify(shown.slice(0, 30))}`, () =>
      assert.equal(clientNameOf(given), shown));
});
