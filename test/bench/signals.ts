import { pino } from 'pino';
import { Decimal } from '../../compute/model/decimal.js';
import { advanceExecution } from '../../compute/signals/advance-execution.js';
import { SignalEngine } from '../../jobs/signals/signal-engine.js';
import { ExecutionRun } from '../../jobs/signals/execution-run.js';
import { LevelIndex } from '../../jobs/signals/price-watch/level-index.js';
import { slotOf } from '../../jobs/signals/partner-slots.js';
import { TickPublisher } from '../../storage/candles/market-ticks.js';
import { Prices } from '../../storage/candles/prices.js';
import { openStorage, type Storage } from '../../storage/index.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { encodeExecution } from '../../storage/signals/execution-json.js';
import { announceSignal } from '../../storage/signals/signal-wakes.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import { until } from '../support/process/until.js';
import { makeExecution } from '../support/signals/make-execution.js';
import { makeStoredExecution } from '../support/signals/make-stored-execution.js';
import { MemoryVenue } from '../support/signals/memory-venue.js';
import { newSignal } from '../support/signals/signal-terms.js';
import { withBenchService } from './bench-service.js';
import { percentile, printTable } from './measure.js';

const market = 'demo';
const timeoutMs = 60_000;
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** A signal to 10,000 subscribers, and prices that cross the levels of 10,000 executions. */
export async function benchSignals(subscribers = 10_000): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs });
    await storage.migrate();
    await benchFanOut(storage, { redisUrl, mongodbUrl }, subscribers);
    await storage.close();
  });
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs });
    await storage.migrate();
    await benchPriceWatch(storage, redisUrl);
    await storage.close();
  });
  benchQuietTicks();
}

interface Urls {
  redisUrl: string;
  mongodbUrl: string;
}

async function benchFanOut(storage: Storage, { redisUrl, mongodbUrl }: Urls, count: number): Promise<void> {
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  await addSubscribers(mongodbUrl, 'channel of large', count);
  await addSubscribers(mongodbUrl, 'channel of small', 1);
  const venue = new CountingVenue(null);
  const engine = await startEngine(storage, redisUrl, venue);
  const putPrice = () =>
    new Prices(redis).put(market, [
      { base: 'BTC', quote: 'USDT', price: 105, change24hPercent: null, time: Date.now() },
    ]);
  await putPrice();
  const pricing = setInterval(() => void putPrice(), 1_000);
  const send = async (partnerId: string) => {
    const signal = await storage.signals.add(newSignal(partnerId));
    if (signal === 'key_reused') throw new Error(signal);
    await announceSignal(redis, partnerId);
    return signal;
  };
  const started = performance.now();
  const { id } = await send('large');
  const others: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const before = performance.now();
      const other = await send('small');
      await until('the other order', () => venue.owners.has(`${other.id}:small 0`), timeoutMs);
      others.push(performance.now() - before);
    }
  })();
  const durableMs = await until(
    'the delivery',
    async () => {
      const [signal] = await storage.signals.ofIds([id]);
      return signal.delivery.isDone && performance.now() - started;
    },
    120_000,
  );
  const placedMs = await until(
    'the last order',
    () => venue.countOf(id) === count && performance.now() - started,
    240_000,
  );
  isOver = true;
  await asking;
  await until(
    'the end',
    async () => (await storage.executions.dueSlots(Date.now() + 60_000)).length === 0,
    240_000,
  );
  const settledMs = performance.now() - started;
  clearInterval(pricing);
  await engine.close();
  redis.disconnect();
  printTable(`one signal to ${count} subscribers`, [
    ['', 'after'],
    ['every execution and first order durable', seconds(durableMs)],
    ['the last order on the exchange', seconds(placedMs)],
    ['every answer of the exchange stored', seconds(settledMs)],
    ['orders placed twice', String(venue.asked.length - venue.orders.size)],
    ["another partner's signal to its order, median", seconds(percentile(others, 0.5))],
    ["another partner's signal to its order, longest", seconds(Math.max(...others))],
    ['memory of the worker', `${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`],
  ]);
}

/** Remembers the executions whose orders it has. */
class CountingVenue extends MemoryVenue {
  readonly owners = new Set<string>();
  readonly #bySignal = new Map<string, number>();

  countOf(signalId: string): number {
    return this.#bySignal.get(signalId) ?? 0;
  }

  override place(orders: Parameters<MemoryVenue['place']>[0]) {
    for (const { owner } of orders) {
      if (this.owners.has(owner)) continue;
      this.owners.add(owner);
      const [signalId] = owner.split(':');
      this.#bySignal.set(signalId, this.countOf(signalId) + 1);
    }
    return super.place(orders);
  }
}

async function addSubscribers(mongodbUrl: string, channelId: string, count: number): Promise<void> {
  const { db, close } = openMongo(mongodbUrl, { timeoutMs });
  const name = channelId.split(' ').at(-1)!;
  const all = Array.from({ length: count }, (_, n) => ({
    _id: `${name} ${n}` as never,
    ...{ userId: `${name} user ${n}`, channelId, exchange: 'PAPER', autoInvest: true, investPercent: '5' },
    ...{
      maxOpenSignals: 1_000_000,
      maxExposure: '4',
      maxTotalExposure: null,
      maxDailyLoss: null,
      sides: ['long', 'short'],
    },
    ...{ accounts: ['SPOT'], stopOnExchange: false, isPaused: false, createdAt: new Date() },
  }));
  for (let from = 0; from < count; from += 1_000)
    await db.collection('subscriptions').insertMany(all.slice(from, from + 1_000));
  await close();
}

async function startEngine(storage: Storage, redisUrl: string, venue: MemoryVenue): Promise<SignalEngine> {
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const engine = new SignalEngine({
    storage,
    redis,
    openSubscriber: () => openRedis(redisUrl, patient),
    venues: new Map([['PAPER', venue]]),
    match: venue.match,
    market,
    log: pino({ level: 'warn' }),
  });
  await engine.start();
  return engine;
}

const pairs = 50;
const openExecutions = 10_000;
const measuredTicks = 300;

/** How long it takes from a tick that crosses the stop of one execution to the stored order that closes it. */
async function benchPriceWatch(storage: Storage, redisUrl: string): Promise<void> {
  const all = Array.from({ length: openExecutions }, (_, n) => watchedExecution(n));
  for (let from = 0; from < all.length; from += 500)
    await storage.executions.addAll(all.slice(from, from + 500));
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const decidedAt = noteDecisions(storage);
  const engine = await startEngine(storage, redisUrl, new MemoryVenue(null));
  await until('the watch', () => engine.watched === openExecutions, 60_000);
  const publisher = new TickPublisher(redis, market, 0);
  const times: number[] = [];
  for (let n = 0; n < measuredTicks; n++) {
    const { id, pair, price } = stopOf(n);
    const at = Date.now();
    const tick = { price, high: price, low: price, volume: null, since: at, at };
    const [base, quote] = pair.split('/');
    const started = performance.now();
    await publisher.publish(at, () => [{ ...tick, pair: { base, quote } }]);
    times.push((await until(`the decision of ${id}`, () => decidedAt.get(id))) - started);
  }
  await engine.close();
  redis.disconnect();
  printTable(`a tick to the stored order decision, ${openExecutions} executions on ${pairs} pairs`, [
    ['', 'ms'],
    ['p50', percentile(times, 0.5).toFixed(1)],
    ['p99', percentile(times, 0.99).toFixed(1)],
    ['longest', Math.max(...times).toFixed(1)],
  ]);
}

/** Executions that hold a position with a stop; within a pair each stop is lower than the one before. */
function stopOf(n: number): { id: string; pair: string; price: Decimal } {
  const price = Decimal.parse('99').minus(Decimal.parse(`0.${String(Math.floor(n / pairs) + 100)}`));
  return { id: `watched:${n}`, pair: `P${n % pairs}/USDT`, price };
}

function watchedExecution(n: number): StoredExecution {
  const { id, pair, price } = stopOf(n);
  const at = Date.now();
  const planned = { ...makeExecution({ stopLoss: price }), stopOnExchange: false };
  const entered = advanceExecution(planned, { type: 'tick', price: Decimal.parse('100'), at }).execution;
  const [{ leg, revision, quantity }] = entered.orders;
  const zero = Decimal.zero;
  const trade = { tradeId: 't', quantity, price: Decimal.parse('100'), baseFee: zero, quoteFee: zero };
  const filled = advanceExecution(entered, { type: 'fill', leg, revision, ...trade, at }).execution;
  const open = advanceExecution(filled, {
    ...{ type: 'order', leg, revision, status: 'filled', filled: quantity, at },
  }).execution;
  const stored = makeStoredExecution({
    ...{ id, pair, partnerId: `partner ${n % 10}`, slot: slotOf(id), market, seenAt: new Date(at) },
    state: encodeExecution(open),
  });
  return new ExecutionRun({ ...stored, revision: -1 }).toStore(at);
}

/** When the worker has stored an order of each execution, by performance.now(). */
function noteDecisions({ executions }: Storage): ReadonlyMap<string, number> {
  const decidedAt = new Map<string, number>();
  const writeAll = executions.writeAll.bind(executions);
  executions.writeAll = async (all) => {
    const written = await writeAll(all);
    const now = performance.now();
    for (const { id, orders } of all) if (orders.length > 0 && !decidedAt.has(id)) decidedAt.set(id, now);
    return written;
  };
  return decidedAt;
}

/** What a tick costs that crosses nothing. */
function benchQuietTicks(): void {
  const rows = [['executions', 'ns per tick']];
  for (const count of [100, 1_000, 10_000, 100_000]) {
    const index = new LevelIndex();
    for (let n = 0; n < count; n++) {
      const [low, high] = [Decimal.parse(String(90 - (n % 50))), Decimal.parse(String(110 + (n % 50)))];
      const levels = { low, high, everyTick: false, seenMs: null };
      const id = `execution ${n}`;
      index.set({
        id,
        revision: 1,
        levels: { id, pair: `P${n % pairs}/USDT`, partnerId: '', slot: 0, revision: 1, ...levels },
      });
    }
    const price = Decimal.parse('100');
    const range = { price, high: price, low: price };
    const loops = 200_000;
    const started = performance.now();
    for (let n = 0; n < loops; n++) index.take('P7/USDT', range);
    rows.push([String(count), (((performance.now() - started) / loops) * 1e6).toFixed(0)]);
  }
  printTable('a tick that crosses nothing', rows);
}
