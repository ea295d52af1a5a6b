import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import fc from 'fast-check';
import { mostKept, tellLive, type LiveEvent, type TellLive } from '../../../storage/live/live-events.js';
import { Prices } from '../../../storage/candles/prices.js';
import { openMongo } from '../../../storage/servers/mongo.js';
import { openRedis, patient } from '../../../storage/servers/redis.js';
import { openStreamAt, type EventAnswer } from '../../support/gateway/event-answer.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';

const flip = (n: number): LiveEvent => ({ to: 'flips', name: 'flip', data: { n } });
const closed = (n: number): LiveEvent => ({ to: 'candles', name: 'candle', data: { n } });
const numbers = ({ events }: EventAnswer): number[] =>
  events.flatMap(({ data }) => ('n' in data ? [(data as { n: number }).n] : []));

describe('the live stream', function () {
  this.timeout(60_000);
  let service: TestService;
  /** A second gateway behind the same servers. */
  let other: TestService;
  let tell: TellLive;
  let token: string;
  let userId: string;
  const open: EventAnswer[] = [];

  before(async () => {
    service = await openTestService({ computeNodes: 0 });
    const { redisUrl, mongodbUrl } = service;
    other = await openTestService({ computeNodes: 0, redisUrl, mongodbUrl, env: { MAX_STREAMS: '25' } });
    tell = tellLive(service.deps.redis);
    token = await service.signIn();
    userId = (await service.deps.signedIn.find(token))!.userId;
  });
  afterEach(async () => {
    for (const stream of open.splice(0)) stream.leave();
    await until('all streams are closed', () => service.deps.live.size + other.deps.live.size === 0);
  });
  after(async () => {
    await other.close();
    await service.close();
  });

  async function listen(
    at: TestService,
    question?: Parameters<typeof openStreamAt>[1],
  ): Promise<EventAnswer> {
    const stream = await openStreamAt(at.url, question);
    open.push(stream);
    return stream;
  }
  const own = { topics: 'flips,positions,signals' };
  const mine = (n: number): LiveEvent => ({ to: { userId }, name: 'signal', data: { n } });

  it('tells what happens with ids that rise, and nothing of other topics', async () => {
    const [all, flips] = [await listen(service), await listen(other, { topics: 'flips' })];
    await tell([flip(1), closed(2)]);
    await tell([flip(3)]);
    await until('all have come', () => numbers(all).length === 3 && numbers(flips).length === 2);
    assert.deepEqual(numbers(all), [1, 2, 3]);
    assert.deepEqual(numbers(flips), [1, 3]);
    const times = all.events.map(({ id }) => id.split('-').map(Number));
    assert.ok(times.every(([ms, seq], n) => n === 0 || ms > times[n - 1][0] || seq > times[n - 1][1]));
  });

  it('loses nothing when a reader comes back to another gateway, whenever that is', async () => {
    const step = fc.record({ told: fc.nat(6), moves: fc.boolean(), away: fc.nat(4) });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const heard: number[] = [];
        const expected: number[] = [];
        const told = async (count: number) => {
          for (let each = 0; each < count; each++) {
            expected.push(++n);
            await tell([[flip, mine][n % 2](n)]);
          }
        };
        let at = service;
        let stream = await listen(at, { ...own, token });
        for (const { told: count, moves, away } of steps) {
          await told(count);
          // What is on its way when it leaves comes again, or comes then.
          stream.leave();
          heard.push(...numbers(stream));
          await told(away);
          if (moves) at = at === service ? other : service;
          stream = await listen(at, { ...own, token, lastId: stream.lastId() });
        }
        const isThere = () => new Set([...heard, ...numbers(stream)]).size === expected.length;
        await until('everything has come', isThere);
        assert.deepEqual([...new Set([...heard, ...numbers(stream)])], expected);
        assert.ok(stream.events.every(({ name }) => name !== 'reset'));
        stream.leave();
      }),
      { numRuns: 15 },
    );
  });

  it('loses nothing while the connection of a gateway to Redis is away', async () => {
    const stream = await listen(service, { ...own, token });
    const redis = openRedis(service.redisUrl, patient);
    await tell([flip(1)]);
    // The events are told while no gateway hears of them.
    await redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await tellLive(redis)([mine(2), flip(3)]);
    await until('they have come', () => numbers(stream).length === 3);
    assert.deepEqual(numbers(stream), [1, 2, 3]);
    redis.disconnect();
  });

  it('never tells a user, or a visitor, of the events of another', async () => {
    const foreign = await service.signIn();
    const streams = [await listen(service, { ...own, token: foreign }), await listen(service)];
    const owner = await listen(service, { ...own, token });
    const { lastId } = streams[0];
    await tell([mine(1), { to: { userId }, name: 'position', data: { n: 2 } }, flip(3)]);
    for (const stream of [owner, ...streams])
      await until('the last has come', () => numbers(stream).includes(3));
    assert.deepEqual(numbers(owner), [1, 2, 3]);
    for (const stream of streams) assert.deepEqual(numbers(stream), [3]);
    // Nor when they come back.
    const back = await listen(other, { ...own, token: foreign, lastId: lastId() });
    await tell([flip(4)]);
    await until('it has come', () => numbers(back).includes(4));
    assert.deepEqual(numbers(back), [4]);
  });

  it('ends when the session does, however long it was asked for', async () => {
    const lifetimeMs = 1_500;
    const short = await service.storage.sessions.open(userId, 'web');
    const { sessionId } = (await service.deps.signedIn.find(short))!;
    const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 20_000 });
    const expiresAt = new Date(Date.now() + lifetimeMs);
    await db.collection('sessions').updateOne({ _id: sessionId as never }, { $set: { expiresAt } });
    const stream = await listen(service, { ...own, token: short });
    assert.equal(stream.status, 200);
    await until('the stream has ended', () => service.deps.live.size === 0);
    assert.ok(Date.now() >= expiresAt.getTime());
    await close();
  });

  it('is refused where a topic is not for the caller', async () => {
    const user = await service.signIn();
    const asked = [{ topics: 'flips,signals' }, { topics: 'cluster', token: user }, { topics: 'all' }];
    const found = await Promise.all(asked.map((question) => listen(service, question)));
    assert.deepEqual(
      found.map(({ status }) => status),
      [401, 403, 400],
    );
    const operator = await listen(service, {
      topics: 'cluster',
      token: await service.signIn({ operator: true }),
    });
    await until('the operator hears of the cluster', () =>
      operator.events.some(({ name }) => name === 'cluster'),
    );
  });

  for (const lastId of [
    '',
    'x',
    '-1--1',
    `${'9'.repeat(80)}-0`,
    '1-1',
    '999999999999999-0',
    "0-0'; return 1 --",
  ])
    it(`asks to read all again after the id "${lastId}"`, async () => {
      await tell([mine(1)]);
      const stream = await listen(service, { ...own, token, lastId });
      await until('it says so', () => stream.events.length >= 3);
      const topics = stream.events.map(({ name, data }) => [name, data.topic as string]);
      assert.deepEqual(topics, [
        ['reset', 'flips'],
        ['reset', 'positions'],
        ['reset', 'signals'],
      ]);
    });

  it('asks to read a topic again of which more was missed than is kept', async () => {
    const first = await listen(service, { ...own, token });
    first.leave();
    await tell(Array.from({ length: 600 }, (_, n) => mine(n)));
    await tell([flip(1)]);
    const stream = await listen(service, { ...own, token, lastId: first.lastId() });
    await until('the flip has come', () => numbers(stream).length === 1);
    const resets = stream.events.filter(({ name }) => name === 'reset');
    assert.deepEqual(
      resets.map(({ data }) => data.topic as string),
      ['positions', 'signals'],
    );
  });

  it('drops a reader who takes nothing, and others hear on', async () => {
    const [slow, quick] = [await listen(service), await listen(service)];
    slow.pause();
    const large = 'x'.repeat(60_000);
    let told = 0;
    while (service.deps.live.size === 2) {
      await tell([{ to: 'flips', name: 'flip', data: { n: ++told, large } }]);
      // However little the kernel holds, the other does not fall behind.
      while (quick.events.length < told && service.deps.live.size > 0) await immediate();
    }
    assert.equal(numbers(quick).length, told);
    const back = await listen(other, { lastId: slow.lastId() });
    // However much the kernel holds, it has missed all of it.
    await until('what it has missed comes again, or that it is too much', () =>
      told < mostKept ? numbers(back).at(-1) === told : back.events.some(({ name }) => name === 'reset'),
    );
  });

  it('ends with the session', async () => {
    const leaving = await service.signIn();
    const streams = [
      await listen(service, { ...own, token: leaving }),
      await listen(other, { ...own, token: leaving }),
    ];
    const stays = await listen(service, { ...own, token });
    const { status } = await service.post('/backend/logout', {}, { 'session-token': leaving });
    assert.equal(status, 200);
    await Promise.all(streams.map(({ ended }) => ended));
    for (const { events } of streams) assert.deepEqual(events.at(-1)!.name, 'closed');
    assert.equal(service.deps.live.size, 1);
    stays.leave();
  });

  it('ends when the user is removed', async () => {
    const removed = await service.signIn();
    const { userId: id } = (await service.deps.signedIn.find(removed))!;
    const stream = await listen(service, { ...own, token: removed });
    await service.storage.users.remove(id);
    await stream.ended;
    assert.equal(stream.events.at(-1)!.name, 'closed');
  });

  it('is open four times in a session, twenty times for a network of visitors, and so often at a gateway', async () => {
    const ofSession: EventAnswer[] = [];
    for (let n = 0; n < 5; n++) ofSession.push(await listen(other, { ...own, token }));
    await ofSession[0].ended;
    assert.equal(ofSession[0].events.at(-1)!.name, 'closed');
    for (let n = 0; n < 20; n++) assert.equal((await listen(other)).status, 200);
    assert.equal((await listen(other)).status, 429);
    assert.equal((await listen(other, { ...own, token: await service.signIn() })).status, 200);
    assert.equal(other.deps.live.size, 25);
    assert.equal((await listen(other, { ...own, token: await service.signIn() })).status, 503);
  });

  it('has all prices at first, then those that have changed', async () => {
    const prices = new Prices(service.deps.redis);
    const priced = (base: string, price: number) => ({
      base,
      quote: 'USDT',
      price,
      change24hPercent: 1,
      time: 0,
    });
    await prices.put('csv', [priced('BTC', 10), priced('ETH', 2)]);
    const streams = [
      await listen(service, { topics: 'prices' }),
      await listen(service, { topics: 'prices' }),
    ];
    await prices.put('csv', [priced('BTC', 10), priced('ETH', 3)]);
    for (const { events } of streams) {
      await until('the change has come', () => JSON.stringify(events.at(-1)).includes('"price":3'));
      const first = events[0].data.prices as { asset: string }[];
      assert.deepEqual(first.map(({ asset }) => asset).sort(), ['BTC', 'ETH']);
      assert.deepEqual(events.at(-1)!.data.prices, [
        { asset: 'ETH', tradeMarket: 'USDT', price: 3, change24h: 1, time: '1970-01-01T00:00:00.000Z' },
      ]);
    }
  });

  it('hears of closed candles and of what a user holds', async () => {
    const stream = await listen(service, { topics: 'candles,positions', token });
    await service.storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, randomCandles(100));
    const data = { market: 'csv', asset: 'BTC', tradeMarket: 'USDT', intervals: ['1h', '4h', '1d'] };
    await until('the candles have come', () => stream.events.some(({ name }) => name === 'candle'));
    assert.deepEqual(stream.events.at(-1)!.data, data);
    const holdings = [{ asset: 'BTC', quantity: '0.1' }];
    const { status } = await service.post(
      '/backend/exchanges',
      { exchange: 'PAPER', holdings },
      { 'session-token': token },
    );
    assert.equal(status, 200);
    await until('the position has come', () => stream.events.some(({ name }) => name === 'position'));
  });
});
