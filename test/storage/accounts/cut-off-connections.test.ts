import assert from 'node:assert/strict';
import { UserExchanges } from '../../../storage/accounts/user-exchanges.js';
import type { Storage } from '../../../storage/index.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { collectionsWith, connectedExchange } from '../../support/servers/user-data.js';

const key = { apiKey: 'k', secret: 's', passphrase: null };
const accepted = async () => ({ mayTrade: true, mayWithdraw: false, accounts: ['SPOT' as const] });

describe('a connection whose writes are cut off', function () {
  this.timeout(60_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  const folder = temporaryFolder();
  let users = 0;
  let user: string;
  const over = (storage: Storage) => {
    const env = { DATA_DIR: folder.path, EXCHANGES: 'BINANCE=binance' };
    return new UserExchanges(readSettings(env, folder.path), storage, redis.redis);
  };
  const connect = (storage: Storage) => over(storage).connect(user, 'BINANCE', key, accepted);
  const isListed = async () => (await over(context.storage).list(user)).some(({ kind }) => kind === 'key');

  it('is not there until it is read, and a repeat completes it', async () => {
    const writes = await cutWrites(context.url, {
      prepare: async () => void (user = `new${++users}`),
      work: connect,
      async check() {
        assert.equal(await isListed(), false);
        await connect(context.storage);
        assert.deepEqual(await collectionsWith(context.db, user), ['connections', 'accounts']);
        const { dueAt, failures } = (await context.storage.accounts.find(user, 'BINANCE'))!;
        assert.ok(dueAt! <= Date.now() && failures === 0);
        await assert.rejects(connect(context.storage), { code: 'already_exists' });
      },
    });
    assert.equal(writes, 3);
  });

  it('is completed where an earlier version stored the connection and not the account', async () => {
    user = `new${++users}`;
    await connect(context.storage);
    const before = (await context.storage.connections.find(user, 'BINANCE'))!;
    await context.storage.accounts.remove(user, 'BINANCE');
    await connect(context.storage);
    const after = (await context.storage.connections.find(user, 'BINANCE'))!;
    assert.notEqual(after.id, before.id);
    assert.notEqual(await context.storage.accounts.find(user, 'BINANCE'), null);
  });

  it('does not take over what an earlier connection has read', async () => {
    user = `new${++users}`;
    await connect(context.storage);
    const { accounts, connections } = context.storage;
    const read = (await accounts.find(user, 'BINANCE'))!;
    await accounts.replace({ ...read, cash: [{ asset: 'USDT', quantity: '5' }], failures: 3 });
    // As if the process had died after the first write of a disconnection.
    await connections.remove(user, 'BINANCE');
    await connect(context.storage);
    const { cash, failures } = (await accounts.find(user, 'BINANCE'))!;
    assert.deepEqual([cash, failures], [[], 0]);
    // Nor does a worker that was reading the old one write it.
    assert.equal(await accounts.replace(read), false);
    assert.equal(await accounts.remove(user, 'BINANCE', read.revision), false);
  });

  it('loses its key when it is removed, after its subscriptions are paused, and a repeat removes the rest', async () => {
    const disconnect = (storage: Storage) => over(storage).disconnect(user, 'BINANCE');
    const writes = await cutWrites(context.url, {
      async prepare() {
        user = `old${++users}`;
        await connectedExchange(context.storage, user);
      },
      work: disconnect,
      async check(written) {
        assert.equal(await isListed(), written < 2);
        await disconnect(context.storage);
        assert.deepEqual(await collectionsWith(context.db, user), ['positions']);
        assert.deepEqual((await context.storage.positions.find(user))!.accounts, []);
        await assert.rejects(disconnect(context.storage), { message: '"BINANCE" is not connected' });
      },
    });
    assert.equal(writes, 4);
  });
});
