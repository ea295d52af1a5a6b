import { firstCandleFrom, sliceCandles } from '../../compute/model/candles.js';
import type { DemoMarket } from '../../compute/demo/demo-market.js';
import { makeDemoHistory } from '../../compute/demo/make-demo-history.js';
import type { Storage } from '../../storage/index.js';
import type { Pair } from '../../storage/candles/series.js';

/** Called after each pair with the number of pairs done and of all pairs. */
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
