import { DemoMarket, hourMs, type DemoPair } from '../../compute/demo/demo-market.js';
import { DemoTicks } from '../../compute/demo/demo-ticks.js';
import { TickPublisher } from '../../storage/candles/market-ticks.js';
import type { MarketContext, RunningMarket } from './follow-ccxt.js';
import { firstCandleFrom, sliceCandles } from '../../compute/model/candles.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import type { Storage } from '../../storage/index.js';
import type { Pair } from '../../storage/candles/series.js';

const retryMs = 5_000;
const tickMs = 2_000;

/** Makes and stores the history of the demo market, each hour when it closes, and prices every few seconds. */
export async function followDemo({ storage, redis, log, report }: MarketContext): Promise<RunningMarket> {
  let market = new DemoMarket();
  let nextPercent = 0;
  await storeDemoHistory(market, storage, Date.now(), (done, total) => {
    const percent = Math.floor((done / total) * 100);
    if (percent < nextPercent && done < total) return;
    report(`demo market: history of ${done} of ${total} pairs ready`, done === total ? 'filled' : undefined);
    nextPercent = percent + 25;
  });

  let timer: NodeJS.Timeout;
  let writing = Promise.resolve();
  const wait = (ms: number) => {
    timer = setTimeout(() => {
      writing = follow();
    }, ms);
  };
  const follow = async () => {
    try {
      await storeDemoHistory(market, storage, Date.now());
      wait(hourMs - (Date.now() % hourMs) + 500);
    } catch (error) {
      log.warn({ err: error }, 'demo candles not stored');
      market = new DemoMarket();
      wait(retryMs);
    }
  };
  await follow();

  const ticks = new DemoTicks();
  const publisher = new TickPublisher(redis, 'demo', tickMs * 0.9);
  const putPrices = async () => {
    const nowMs = Date.now();
    await publisher.publish(nowMs, (sinceMs) => ticks.since(sinceMs, nowMs), ticks.at(nowMs));
  };
  // A failed write needs no retry: the next prices follow in two seconds.
  const tick = () => void putPrices().catch(() => undefined);
  const ticking = setInterval(tick, tickMs);
  setImmediate(tick);
  return {
    async check() {
      // The hour that is being written would look missing.
      await writing;
      const { pairs, made } = await repairDemoHistory(storage, Date.now());
      return made === 0
        ? `${pairs} pairs have every hour`
        : `${made} missing hours of ${pairs} pairs made and stored`;
    },
    async close() {
      clearInterval(ticking);
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
    },
  };
}

export type ReportPairsDone = (done: number, total: number) => void;

/**
 * Makes the hours of the demo market that are closed at `nowMs` and stores those after the last stored hour of each pair. The
 * feeds of the pairs say from the start which are on their way, so that no gateway takes them for unknown.
 * After a failure the market is ahead of the stored candles: start again with a new market.
 */
export async function storeDemoHistory(
  market: DemoMarket,
  storage: Pick<Storage, 'candles' | 'feeds' | 'series'>,
  nowMs: number,
  reportPairsDone: ReportPairsDone = () => undefined,
): Promise<void> {
  const { pairs } = market;
  await storage.feeds.follow('demo', pairs);
  const history = makeDemoHistory(market, nowMs);
  for (const [index, { base, quote, firstMs }] of pairs.entries()) {
    const pair: Pair = { market: 'demo', base, quote };
    const stored = await storage.series.find({ ...pair, interval: '1h' });
    const { [index]: candles } = history;
    const from = firstCandleFrom(candles.time, stored ? stored.last + 1 : firstMs);
    const missing = sliceCandles(candles, from, candles.time.length);
    if (missing.time.length > 0) await storage.candles.add(pair, missing);
    await storage.feeds.complete(pair, firstMs);
    reportPairsDone(index + 1, pairs.length);
  }
}

interface DemoRepair {
  pairs: number;
  /** Hours that were missing and are stored now. */
  made: number;
}

/** Stores every hour of the demo market that is closed at `nowMs` and missing, wherever in the history it is. */
export async function repairDemoHistory(
  storage: Pick<Storage, 'candles' | 'series'>,
  nowMs: number,
): Promise<DemoRepair> {
  const market = new DemoMarket();
  const { pairs } = market;
  const incomplete: number[] = [];
  for (const [index, pair] of pairs.entries())
    if (!(await isComplete(pair, storage, nowMs))) incomplete.push(index);
  if (incomplete.length === 0) return { pairs: pairs.length, made: 0 };
  const history = makeDemoHistory(market, nowMs);
  let made = 0;
  for (const index of incomplete) {
    const { [index]: candles } = history;
    const { base, quote, firstMs } = pairs[index];
    const listed = sliceCandles(candles, firstCandleFrom(candles.time, firstMs), candles.time.length);
    made += (await storage.candles.add({ market: 'demo', base, quote }, listed)).stored;
  }
  return { pairs: pairs.length, made };
}

async function isComplete(
  { base, quote, firstMs }: DemoPair,
  { series }: Pick<Storage, 'series'>,
  nowMs: number,
): Promise<boolean> {
  const stored = await series.find({ market: 'demo', base, quote, interval: '1h' });
  const hours = Math.max(0, Math.floor(nowMs / hourMs) - Math.ceil(firstMs / hourMs));
  return hours === 0 || stored?.count === hours;
}
