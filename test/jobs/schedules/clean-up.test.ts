import assert from 'node:assert/strict';
import { Queue } from 'bullmq';
import { ResultStore } from '../../../jobs/requests/result-store.js';
import { ScheduleQueue } from '../../../jobs/schedules/worker/schedule-queue.js';
import { cleanUpSchedule } from '../../../jobs/schedules/clean-up.js';
import { newFeed } from '../../../storage/candles/feeds.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { Prices } from '../../../storage/candles/prices.js';
import { ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { numberedBacktest, numberedId } from '../../support/backtests/numbered-backtests.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';
import { until } from '../../support/process/until.js';

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

describe('the schedule that cleans up', () => {
  let service: TestService;
  let mongo: Mongo;
  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    mongo = openMongo(service.mongodbUrl, { timeoutMs: 20_000 });
  });
  after(async () => {
    await mongo.close();
    await service.close();
  });
  const run = () => cleanUpSchedule.run(scheduleToolsOf(service), new AbortController().signal);
  const idsOf = async (collection: string) =>
    (await mongo.db.collection(collection).find().toArray()).map(({ _id }) => String(_id));

  it('deletes expired data in MongoDB, and nothing else', async () => {
    const { storage } = service;
    await storage.sessions.open('ada', 'web', Date.now() - 8 * dayMs);
    await storage.sessions.open('bob', 'web');
    const feeds = ['AAA', 'BBB', 'CCC'].map((base) => newFeed({ market: 'kraken', base, quote: 'USDT' }));
    await storage.feeds.follow('kraken', feeds);
    await storage.feeds.put(feeds[0], 1);
    await storage.feeds.put(feeds[1], 1);
    const old = { updatedAt: daysAgo(91) };
    await mongo.db.collection('feeds').updateOne({ base: 'BBB' }, { $set: old });
    await mongo.db.collection<{ _id: string }>('leases').insertMany([
      { _id: 'dead', holder: 'x', expiresAt: daysAgo(2) },
      { _id: 'alive', holder: 'x', expiresAt: new Date() },
    ] as never[]);
    const leaderboard = {
      market: 'csv',
      period: '1y',
      asOf: '',
      costs: { feeRate: 0, slippageRate: 0 },
    } as const;
    const rest = { rows: [], refused: 0, luckiestSharpe: 0 };
    await storage.leaderboards.put({ ...leaderboard, ...rest, interval: '1d', computedAt: daysAgo(31) }, 1);
    await storage.leaderboards.put({ ...leaderboard, ...rest, interval: '4h', computedAt: daysAgo(29) }, 1);
    const event = { userId: 'bob', event: 'sign_in', address: null, client: null, details: {} } as const;
    await storage.auditEvents.add([
      { ...event, id: 'old', at: daysAgo(181) },
      { ...event, id: 'kept', at: daysAgo(179) },
    ]);
    const old90 = Date.now() - 91 * dayMs;
    await storage.backtests.add([
      numberedBacktest('ada', 1, { ranAtMs: old90 }),
      ...Array.from({ length: 200 }, (_, n) => numberedBacktest('bob', n)),
    ]);
    const [copied] = await mongo.db.collection('backtests').find({ userId: 'bob' }).toArray();
    const copy = { ...copied, _id: 'bob:copy' as never, order: `2020 ${numberedId(0)}` };
    await mongo.db.collection('backtests').insertOne(copy);
    const told = await run();
    for (const part of [
      /1 audit events,/,
      /1 backtests,/,
      /1 backtests over the limit/,
      // The database removes sessions by itself too, once a minute.
      /[01] sessions/,
      /1 leases/,
      /1 feeds/,
      /1 leaderboards/,
    ])
      assert.match(told, part);
    const sessions = await mongo.db.collection('sessions').find().toArray();
    assert.deepEqual(
      sessions.map(({ userId }) => userId as unknown),
      ['bob'],
    );
    assert.deepEqual(await idsOf('feeds'), ['kraken:AAA/USDT', 'kraken:CCC/USDT']);
    assert.deepEqual(await idsOf('audit_events'), ['kept']);
    const leases = await idsOf('leases');
    assert.deepEqual(
      // That of the migrations is there where this database was the first of the process.
      leases.filter((id) => id !== 'migrations'),
      ['alive'],
    );
    const left = await idsOf('backtests');
    assert.ok(left.length === 200 && left.every((id) => /^bob:[0-9a-f]{64}$/.test(id)));
    assert.deepEqual(await idsOf('leaderboards'), ['csv:4h:1y']);
  });

  it('deletes expired data in Redis, and nothing else', async () => {
    const { redis } = service.deps;
    const results = new ResultStore(redis, 2 ** 20);
    const address = { channel: 'x', position: { batch: 'x', index: 0 } };
    const computed = { holder: 'x', text: '"result"', address, timings: {} };
    for (let n = 0; n < 450; n++) await results.finish({ ...computed, id: `short ${n}`, keepMs: 1 });
    await results.finish({ ...computed, id: 'long', keepMs: 60_000 });
    const prices = new Prices(redis);
    const tick = { quote: 'USDT', price: 1, change24hPercent: null };
    await prices.put('csv', [
      { ...tick, base: 'AAA', time: daysAgo(8).getTime() },
      { ...tick, base: 'BBB', time: daysAgo(6).getTime() },
    ]);
    const schedules = new ScheduleQueue(redis);
    await schedules.offer([
      { name: 'gone', summary: '', pattern: '0 0 0 1 1 *', limitMs: 1, run: async () => '' },
    ]);
    await new ScheduleRuns(redis).put({ name: 'gone' } as never, 1);
    await until('the results to be over', async () => (await results.read(['short 449']))[0] === null);
    const note = await run();
    assert.match(note, /1 prices/);
    assert.match(note, /2 schedules/);
    assert.deepEqual([(await schedules.nextRuns()).size, await redis.hkeys('tidemark:schedules')], [0, []]);
    await schedules.close();
    assert.deepEqual(await redis.hkeys('tidemark:prices:csv'), ['BBB/USDT']);
    assert.deepEqual(await redis.hkeys('tidemark:results'), ['long']);
    assert.equal(await redis.get('tidemark:results:bytes'), String('"result"'.length));
    assert.equal(await run(), 'nothing to delete');
  });

  it('deletes the finished jobs of quiet queues', async () => {
    const { redis } = service.deps;
    const queue = new Queue('scan', { connection: redis });
    await queue.add('x', {}, { jobId: 'old' });
    await redis.lrem('bull:scan:wait', 1, 'old');
    const finishedAt = Date.now() - 121_000;
    await redis.zadd('bull:scan:completed', finishedAt, 'old');
    await redis.hset('bull:scan:old', 'finishedOn', finishedAt);
    assert.equal(await run(), '1 finished jobs deleted');
    assert.equal(await redis.exists('bull:scan:old'), 0);
    await queue.close();
  });
});
