import { Decimal } from '../../compute/model/decimal.js';
import { advanceExecution } from '../../compute/signals/advance-execution.js';
import { ExecutionRun } from '../../jobs/signals/run/execution-run.js';
import { LevelIndex } from '../../jobs/signals/price-watch/level-index.js';
import { slotOf } from '../../jobs/signals/partner-slots.js';
import { TickPublisher } from '../../storage/candles/market-ticks.js';
import { openStorage, type Storage } from '../../storage/index.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { encodeExecution } from '../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../storage/signals/stored-execution.js';
import { until } from '../support/process/until.js';
import { makeExecution } from '../support/signals/make-execution.js';
import { makeStoredExecution } from '../support/signals/make-stored-execution.js';
import { MemoryVenue } from '../support/signals/memory-venue.js';
import { withBenchService } from './bench-service.js';
import { benchFanOut, benchStorm, SignalBench, signalMarket, startBenchEngine } from './fan-out.js';
import { percentile, printTable } from './measure.js';

const timeoutMs = 60_000;

/** A signal to 10,000 subscribers, 100 signals a minute to 1,000, and prices that cross the levels of 10,000 executions. */
export async function benchSignals(): Promise<void> {
  await withStorage(async (storage, urls) => {
    const bench = await SignalBench.open(storage, urls);
    await benchFanOut(bench, 10_000);
    await bench.close();
  });
  await withStorage(async (storage, urls) => {
    const bench = await SignalBench.open(storage, urls);
    await benchStorm(bench, { signals: 50, subscribers: 1_000, maxOpenSignals: 5 });
    await bench.close();
  });
  await withStorage((storage, { redisUrl }) => benchPriceWatch(storage, redisUrl));
  benchQuietTicks();
}

async function withStorage(
  run: (storage: Storage, urls: { redisUrl: string; mongodbUrl: string }) => Promise<void>,
): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs });
    await storage.migrate();
    await run(storage, { redisUrl, mongodbUrl });
    await storage.close();
  });
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
  const venue = new MemoryVenue(null);
  const { engine, close } = await startBenchEngine(storage, redisUrl, venue, venue.match);
  await until('the watch', () => engine.watched === openExecutions, 60_000);
  const publisher = new TickPublisher(redis, signalMarket, 0);
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
  await close();
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
    ...{
      id,
      pair,
      partnerId: `partner ${n % 10}`,
      slot: slotOf(id),
      market: signalMarket,
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
