import assert from 'node:assert/strict';
import { pino } from 'pino';
import { AccountFollower, type AccountFollowerOptions } from '../../../jobs/accounts/account-follower.js';
import { newAccount } from '../../../storage/accounts/accounts.js';
import type { Connection } from '../../../storage/accounts/connections.js';
import { freshRedisUrl } from '../../support/servers/servers.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { until } from '../../support/process/until.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';

describe('AccountFollower', () => {
  const context = temporaryStorage();

  const connect = async (userId: string, exchange: string, dueAt: number) => {
    const { accounts, connections } = context.storage;
    const key = { keyId: 'x', sealed: 'x' };
    const connection = { id: connections.newId(), userId, exchange, mayTrade: true, key };
    await connections.add({ ...connection, createdAt: new Date() });
    await accounts.findOrAdd(newAccount(userId, exchange, dueAt));
  };

  it('reads accounts beside those that cannot be stored and those of an exchange that does not answer', async () => {
    const redis = openRedis(await freshRedisUrl(), patient);
    await connected(redis);
    for (let n = 0; n < 10; n++) await connect(`slow ${n}`, 'SLOW', n + 1);
    await connect('ada', 'FAST', 100);
    await connect('eve', 'GONE', 100);
    const end = new AbortController();
    // A visit that has begun ends with the follower.
    const unanswered = new Promise<never>((_, reject) => {
      end.signal.addEventListener('abort', () => reject(new Error('it ends')));
    });
    unanswered.catch(() => undefined);
    const opened = { balances: () => Promise.resolve([]), fills: () => Promise.resolve(null) };
    const users = {
      exchanges: { entries: ['SLOW', 'FAST'].map((name) => ({ name, id: name })), marketOf: String },
      updater: { refresh: () => Promise.resolve() },
    };
    // More than are looked for at once.
    for (let n = 0; n < 10; n++) await connect(`huge ${n}`, 'FAST', n + 1);
    const refused: unknown[] = [];
    const { accounts } = context.storage;
    const replace = accounts.replace.bind(accounts);
    accounts.replace = async (account) => {
      if (!account.userId.startsWith('huge') || account.failures > 0) return replace(account);
      refused.push(account.userId);
      throw new Error('the document is too large');
    };
    const exchanges = {
      open: ({ exchange }: Connection) => (exchange === 'SLOW' ? unanswered : Promise.resolve(opened)),
      known: { marketOf: String },
    };
    const follower = new AccountFollower({
      ...{ storage: context.storage, redis, users, exchanges, pollMs: 60_000, lookMs: 20 },
      ...{ log: pino({ level: 'silent' }), signal: end.signal },
    } as unknown as AccountFollowerOptions);
    follower.start();
    try {
      for (const [userId, exchange] of [
        ['ada', 'FAST'],
        ['eve', 'GONE'],
      ])
        await until(`the account of ${userId}`, async () => {
          return (await context.storage.accounts.find(userId, exchange))?.syncedAt;
        });
      assert.equal((await context.storage.accounts.find('slow 0', 'SLOW'))!.syncedAt, null);
      const [huge, pausing] = [refused.length, await context.storage.accounts.find('huge 0', 'FAST')];
      assert.deepEqual([huge, pausing!.failures, pausing!.fault], [10, 1, 'it could not be read']);
    } finally {
      end.abort();
      await follower.ended();
      redis.disconnect();
    }
  });
});
