import { setTimeout as pause } from 'node:timers/promises';
import { Decimal } from '../../compute/model/decimal.js';
import { advanceExecution } from '../../compute/signals/advance-execution.js';
import { ExecutionRun } from '../../jobs/signals/run/execution-run.js';
import { slotOf } from '../../jobs/signals/partner-slots.js';
import { LevelIndex } from '../../jobs/signals/price-watch/level-index.js';
import { TickPublisher } from '../../storage/candles/market-ticks.js';
import type { TradingVenue, VenueHolding } from '../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../storage/index.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { encodeExecution } from '../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import { ExchangeProcess } from '../support/fake-exchange/exchange-process.js';
import { until } from '../support/process/until.js';
import { makeExecution } from '../support/signals/make-execution.js';
import { makeStoredExecution } from '../support/signals/make-stored-execution.js';
import { MemoryVenue } from '../support/signals/memory-venue.js';
import { LiveRig } from '../support/venues/live-rig.js';
import { signalMarket, startBenchEngine } from './fan-out.js';
import { percentile, printTable } from './measure.js';
import { withStorage } from './with-storage.js';

/** Prices that cross the levels of 10,000 executions, published and told by an exchange, and prices that cross none. */
export async function benchPrices(): Promise<void> {
  await withStorage((storage, { redisUrl }) => benchPriceWatch(storage, redisUrl));
  await withStorage((storage, { redisUrl }) => benchToldPrices(storage, redisUrl));
  benchQuietTicks();
}

const pairs = 50;
const openExecutions = 10_000;
const measuredTicks = 300;

/** How long it takes from a tick that crosses the stop of one execution to the stored order that closes it. */
async function benchPriceWatch(storage: Storage, redisUrl: string): Promise<void> {
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const publisher = new TickPublisher(redis, signalMarket, 0);
  const venue = venueOfAll({});
  const times = await decisionTimes({ storage, redisUrl, venue, market: signalMarket }, ({ pair, price }) => {
    const at = Date.now();
    const tick = { price, high: price, low: price, volume: null, since: at, at };
    const [base, quote] = pair.split('/');
    return publisher.publish(at, () => [{ ...tick, pair: { base, quote } }]);
  });
  redis.disconnect();
  printTimes('a tick to the stored order decision', times);
}

/** The same for trades that an exchange tells by websocket, while it tells others of all pairs. */
async function benchToldPrices(storage: Storage, redisUrl: string): Promise<void> {
  const exchange = await ExchangeProcess.start();
  const redis = openRedis(redisUrl, patient);
  await connected(redis);
  const symbols = Array.from({ length: pairs }, (_, n) => `P${n}USDT`);
  const filters = { tickSize: '0.01', stepSize: '0.001', minQuantity: '0.001', minNotional: '5' };
  const traded = symbols.map((_, n) => ({ base: `P${n}`, quote: 'USDT', spot: filters, futures: null }));
  await exchange.apply({ type: 'pairs', pairs: traded });
  for (const symbol of symbols) await exchange.price(symbol, '100');
  const { markets } = new LiveRig(exchange, storage, redis).venue;
  const venue = venueOfAll({ markets });
  const quiet = new AbortController();
  const others = tellOthers(exchange, symbols, quiet.signal);
  const { name } = markets.get('SPOT')!;
  const times = await decisionTimes(
    { storage, redisUrl, venue, market: name },
    ({ pair, price }) => exchange.socketTrade(pair.replace('/', ''), { price: String(price) }),
    async () => (await exchange.sockets()).lines.some(({ topics }) => topics.length === pairs),
  );
  quiet.abort();
  await others;
  await exchange.close();
  redis.disconnect();
  printTimes(
    `a trade told by websocket, among ${othersAtOnce * 50} others in a second, to the decision`,
    times,
  );
}

/** A venue where the user of the executions has what they hold: it is compared with them. */
function venueOfAll(more: Pick<TradingVenue, 'markets'>): MemoryVenue {
  const plenty = Decimal.parse('1000000000');
  const holdings = Array.from({ length: pairs }, (_, n): VenueHolding => {
    return { account: 'SPOT', asset: `P${n}`, free: plenty, total: plenty };
  });
  return Object.assign(new MemoryVenue(null), { ...more, holdings: () => Promise.resolve(holdings) });
}

const othersAtOnce = 10;

/** Tells trades that cross nothing, some 500 in a second. */
async function tellOthers(
  exchange: ExchangeProcess,
  symbols: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const some = Array.from(
      { length: othersAtOnce },
      (_, k) => symbols[(n * othersAtOnce + k) % symbols.length],
    );
    await Promise.all(some.map((symbol) => exchange.socketTrade(symbol, { price: '100' })));
    await pause(20, undefined, { signal }).catch(() => undefined);
  }
}

interface WatchScene {
  storage: Storage;
  redisUrl: string;
  venue: MemoryVenue;
  market: string;
}

/** The times from prices that cross the stops of executions to their stored orders, in ms. */
async function decisionTimes(
  { storage, redisUrl, venue, market }: WatchScene,
  tell: (stop: ReturnType<typeof stopOf>) => Promise<void>,
  isReady: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<number[]> {
  const all = Array.from({ length: openExecutions }, (_, n) => watchedExecution(n, market));
  for (let from = 0; from < all.length; from += 500)
    await storage.executions.addAll(all.slice(from, from + 500));
  const decidedAt = noteDecisions(storage);
  const { engine, close } = await startBenchEngine(storage, redisUrl, venue, venue.match);
  await until('the watch', async () => engine.watched === openExecutions && (await isReady()));
  const times: number[] = [];
  for (let n = 0; n < measuredTicks; n++) {
    const stop = stopOf(n);
    const started = performance.now();
    await tell(stop);
    times.push((await until(`the decision of ${stop.id}`, () => decidedAt.get(stop.id))) - started);
  }
  await close();
  return times;
}

const printTimes = (title: string, times: readonly number[]): void =>
  printTable(`${title}, ${openExecutions} executions on ${pairs} pairs`, [
    ['', 'ms'],
    ['p50', percentile([...times], 0.5).toFixed(1)],
    ['p99', percentile([...times], 0.99).toFixed(1)],
    ['longest', Math.max(...times).toFixed(1)],
  ]);

/** Executions that hold a position with a stop; within a pair each stop is lower than the one before. */
function stopOf(n: number): { id: string; pair: string; price: Decimal } {
  const price = Decimal.parse('99').minus(Decimal.parse(`0.${String(Math.floor(n / pairs) + 100)}`));
  return { id: `watched:${n}`, pair: `P${n % pairs}/USDT`, price };
}

function watchedExecution(n: number, market: string): StoredExecution {
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
    ...{
      id,
      pair,
      partnerId: `partner ${n % 10}`,
      slot: slotOf(id),
      market,
      seenAt: new Date(at),
    },
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
      const levels = { market: 'demo', low, high, everyTick: false, seenMs: null, createdMs: 0 };
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
