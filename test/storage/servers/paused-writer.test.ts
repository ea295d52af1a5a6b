import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { takeScheduleLease } from '../../../jobs/schedules/worker/schedule-worker.js';
import { newAccount } from '../../../storage/accounts/accounts.js';
import { newFeed } from '../../../storage/candles/feeds.js';
import { ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { migrations } from '../../../storage/migrations/index.js';
import { openStorage, type Storage } from '../../../storage/index.js';
import type { HeldLease } from '../../../storage/servers/lease.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import type { Redis } from 'ioredis';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';
import {
  leaderboardOf,
  pausedPair,
  scheduleRunOf,
  type PausedWork,
} from '../../support/servers/paused-work.js';
import { freshMongodbUrl, freshRedisUrl } from '../../support/servers/servers.js';

const program = fileURLToPath(new URL('../../support/servers/paused-writer-main.js', import.meta.url));

/** A process in the middle of work under a lease. */
interface Writer {
  child: ChildProcess;
  messages: string[];
}

describe('a process that is paused for longer than its lease', function () {
  this.timeout(120_000);

  let redisUrl: string;
  let mongodbUrl: string;
  let storage: Storage;
  let mongo: Mongo;
  let redis: Redis;
  const writers = new Map<PausedWork, Writer>();
  const stored: Record<string, unknown> = {};

  async function start(work: PausedWork, aheadMs: number): Promise<void> {
    const args = [work, String(aheadMs), redisUrl, mongodbUrl];
    const writer = { child: fork(program, args, { execArgv: [] }), messages: [] as string[] };
    writers.set(work, writer);
    writer.child.on('message', (message) => writer.messages.push(message as string));
    await until(`${work} to be held`, () => writer.messages.includes('held'));
    writer.child.kill('SIGSTOP');
  }

  /** Lets the process go on, and answers what it reports then. */
  async function wake(work: PausedWork): Promise<string[]> {
    const { child, messages } = writers.get(work)!;
    const exited = once(child, 'exit');
    child.send('go');
    child.kill('SIGCONT');
    await exited;
    return messages.slice(1);
  }

  /** Takes the lease as soon as it is free. */
  const succeed = (name: string, work: (lease: HeldLease) => Promise<unknown>) =>
    storage.leases.hold(name, async (lease) => {
      assert.equal(lease.tookOver, true, name);
      await work(lease);
    });
  const succeedRedis = async (name: string) =>
    until(`the lease of ${name}`, () => takeScheduleLease(redis, name, 'another job'));

  const rawCandles = () => mongo.db.collection('candles').find().sort({ _id: 1 }).toArray();
  const rawSeries = () => mongo.db.collection('series').find().sort({ _id: 1 }).toArray();

  before(async () => {
    [redisUrl, mongodbUrl] = await Promise.all([freshRedisUrl(), freshMongodbUrl()]);
    storage = openStorage(mongodbUrl, { timeoutMs: 20_000 });
    mongo = openMongo(mongodbUrl, { timeoutMs: 20_000 });
    redis = openRedis(redisUrl, patient);
    await connected(redis);
    // The migration first: all others need the database as it is afterwards.
    await start('migration', 0);
    await storage.candles.add(pausedPair('candles'), randomCandles(40));
    await storage.accounts.findOrAdd({ ...newAccount('paused-user', 'BINANCE', 0), revision: 7 });
    await storage.connections.add({
      id: storage.connections.newId(),
      ...{ userId: 'paused-user', exchange: 'BINANCE', mayTrade: false, createdAt: new Date() },
    } as never);
    // Clocks that are ahead and behind, by more than a lease lasts.
    const ahead: [PausedWork, number][] = [
      ...([
        ['candles', 16_000],
        ['new candles', -16_000],
        ['feed', 61_000],
      ] as [PausedWork, number][]),
      ...([
        ['confirmed write', -61_000],
        ['account', 0],
        ['schedule', 61_000],
      ] as [PausedWork, number][]),
      ['leaderboard', -61_000],
    ];
    const taken = Date.now();
    for (const [work, aheadMs] of ahead) await start(work, aheadMs);
    // Nobody else gets a lease before its time is over by the clock of the server.
    await Promise.all([
      storage.candles.add(pausedPair('candles'), randomCandles(50)),
      storage.candles.add(pausedPair('new candles'), randomCandles(50)),
      succeed('feed', ({ token }) => storage.feeds.put(newFeed(pausedPair('feed')), token)),
      succeed('confirmed', async () => undefined),
      succeed('account', async () => {
        const account = (await storage.accounts.find('paused-user', 'BINANCE'))!;
        assert.equal(
          await storage.accounts.replace({ ...account, dueAt: 1, fault: 'of the successor' }),
          true,
        );
      }),
      storage.migrate(),
      succeedRedis('paused').then((lease) =>
        new ScheduleRuns(redis).put(scheduleRunOf('the successor'), lease.token),
      ),
      succeedRedis('paused ranking').then((lease) =>
        storage.leaderboards.put(leaderboardOf('successor'), lease.token),
      ),
    ]);
    stored.tookMs = Date.now() - taken;
    stored.candles = await rawCandles();
    stored.series = await rawSeries();
  });
  after(async () => {
    for (const { child } of writers.values()) child.kill('SIGKILL');
    redis.disconnect();
    await Promise.all([storage.close(), mongo.close()]);
  });

  it('has lost its lease only when that was over', () => {
    assert.ok(Number(stored.tookMs) > 14_000, String(stored.tookMs));
  });

  it('writes no candles when it wakes up, into old months or new', async () => {
    assert.deepEqual(await wake('candles'), ['lease_lost']);
    assert.deepEqual(await wake('new candles'), ['lease_lost']);
    assert.deepEqual(await rawCandles(), stored.candles);
    assert.deepEqual(await rawSeries(), stored.series);
    const { count } = (await storage.series.find({ ...pausedPair('candles'), interval: '1h' }))!;
    assert.equal(count, 50);
  });

  it('writes no feed, no account and no leaderboard', async () => {
    assert.deepEqual(await wake('feed'), ['lease_lost']);
    assert.equal((await storage.feeds.find(pausedPair('feed')))!.fault, null);
    assert.deepEqual(await wake('account'), ['lease_lost']);
    const account = (await storage.accounts.find('paused-user', 'BINANCE'))!;
    assert.deepEqual([account.fault, account.revision], ['of the successor', 8]);
    assert.deepEqual(await wake('leaderboard'), ['lease_lost']);
    assert.equal(
      (await storage.leaderboards.find({ market: 'csv', interval: '1d', period: '1y' }))!.asOf,
      'successor',
    );
  });

  it('records no end of a schedule that runs elsewhere', async () => {
    assert.deepEqual(await wake('schedule'), ['lease_lost']);
    assert.equal((await new ScheduleRuns(redis).find('paused'))!.note, 'the successor');
  });

  it('does not go on with a migration', async () => {
    assert.deepEqual(await wake('migration'), ['lease_lost']);
    const applied = await mongo.db.collection('migrations').find().toArray();
    assert.deepEqual(
      applied.map(({ _id }) => _id as unknown),
      migrations.map(({ id }) => id),
    );
  });

  it('is told by the signal of its lease', async () => {
    assert.deepEqual(await wake('confirmed write'), ['signal true', 'lease_lost']);
  });
});
