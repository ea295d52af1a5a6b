/**
 * A process that takes a lease, reports `held` and waits for the message `go` in the middle of its work, where a test pauses
 * it. It reports how the work ended: `done`, or the code of its error. Its clock is ahead by the second argument, in ms.
 */
import { once } from 'node:events';
import { Collection } from 'mongodb';
import { visitAccount } from '../../../jobs/accounts/visit-account.js';
import { takeScheduleLease } from '../../../jobs/schedules/worker/schedule-worker.js';
import { newFeed } from '../../../storage/candles/feeds.js';
import { ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { openStorage } from '../../../storage/index.js';
import { migrations } from '../../../storage/migrations/index.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { randomCandles } from '../candles/random-candles.js';
import { leaderboardOf, pausedPair, scheduleRunOf, type PausedWork } from './paused-work.js';

const [work, aheadMs, redisUrl, mongodbUrl] = process.argv.slice(2) as [PausedWork, string, string, string];
const { now } = Date;
Date.now = () => now() + Number(aheadMs);

const storage = openStorage(mongodbUrl, { timeoutMs: 20_000 });
const redis = openRedis(redisUrl, patient);
await connected(redis);
const pair = pausedPair(work);

async function pauseHere(): Promise<void> {
  const go = once(process, 'message');
  process.send!('held');
  await go;
}

/** Pauses before the first call of a method of MongoDB collections: a write that was confirmed a moment before. */
function pauseBefore(method: 'bulkWrite' | 'createIndex' | 'replaceOne'): void {
  const original = Reflect.get(Collection.prototype, method) as (...args: unknown[]) => Promise<unknown>;
  let isFirst = true;
  Collection.prototype[method] = async function (this: Collection, ...args: unknown[]) {
    if (isFirst) {
      isFirst = false;
      await pauseHere();
    }
    return original.apply(this, args);
  } as never;
}

const works: Record<PausedWork, () => Promise<unknown>> = {
  candles() {
    pauseBefore('bulkWrite');
    return storage.candles.add(pair, randomCandles(60));
  },
  'new candles'() {
    pauseBefore('bulkWrite');
    return storage.candles.add(pair, randomCandles(60));
  },
  feed: () =>
    storage.leases.hold('feed', async ({ token }) => {
      await pauseHere();
      await storage.feeds.put({ ...newFeed(pair), fault: 'of the paused process' }, token);
    }),
  'confirmed write': () =>
    storage.leases.hold('confirmed', async ({ confirm, signal }) => {
      await pauseHere();
      await confirm().finally(() => process.send!(`signal ${signal.aborted}`));
    }),
  migration() {
    pauseBefore('createIndex');
    return storage.migrate();
  },
  account: () =>
    storage.leases.hold('account', (lease) => {
      const tools = {
        ...{ storage, lease, now: () => Date.now(), pollMs: 60_000, log: { warn: () => undefined } },
        ...{ signal: new AbortController().signal, users: { updater: { refresh: async () => undefined } } },
        exchanges: {
          async open() {
            await pauseHere();
            throw new Error('the exchange does not answer');
          },
        },
      };
      return visitAccount(tools as never, 'paused-user', 'BINANCE');
    }),
  async schedule() {
    const lease = (await takeScheduleLease(redis, 'paused', 'job'))!;
    await new ScheduleRuns(redis).put(scheduleRunOf('the paused process'), lease.token);
    await pauseHere();
    await new ScheduleRuns(redis).put(scheduleRunOf('the paused process, done'), lease.token);
  },
  async leaderboard() {
    const lease = (await takeScheduleLease(redis, 'paused ranking', 'job'))!;
    await pauseHere();
    await storage.leaderboards.put(leaderboardOf('paused'), lease.token);
  },
};

if (migrations.length === 0) throw new Error('nothing to migrate');
await works[work]().then(
  () => process.send!('done'),
  (error: { code?: string; message: string }) => process.send!(error.code ?? error.message),
);
process.exit();
