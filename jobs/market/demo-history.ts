import { createCandles, firstCandleFrom, sliceCandles, type Candles } from '../../compute/model/candles.js';
import type { Storage } from '../../storage/index.js';
import type { Pair } from '../../storage/candles/series.js';
import { hourMs, type DemoCandle, type DemoMarket } from '../../compute/demo/demo-market.js';

/** How far the demo history has come: pairs done of all. */
export type Progress = (done: number, total: number) => void;

/**
 * Stores every hour of the demo market from where it stands to `nowMs` that is over and not stored yet. The market
 * then stands at the hour that is running. After a failure, start again with a new market.
 */
export async function storeDemoHistory(
  market: DemoMarket,
  storage: Pick<Storage, 'candles' | 'series'>,
  nowMs: number,
  progress: Progress = () => undefined,
): Promise<void> {
  const { pairs } = market;
  const history = makeHistory(market, nowMs);
  for (const [index, { base, quote, firstMs }] of pairs.entries()) {
    const pair: Pair = { market: 'demo', base, quote };
    const stored = await storage.series.find({ ...pair, interval: '1h' });
    const { [index]: candles } = history;
    const from = firstCandleFrom(candles.time, stored ? stored.last + 1 : firstMs);
    const missing = sliceCandles(candles, from, candles.time.length);
    if (missing.time.length > 0) await storage.candles.add(pair, missing);
    progress(index + 1, pairs.length);
  }
}

/** Every hour from where the market stands to `nowMs` that is over, one series per pair. */
export function makeHistory(market: DemoMarket, nowMs: number): Candles[] {
  const fromMs = market.nextMs;
  const hours = Math.max(0, Math.floor((nowMs - fromMs) / hourMs));
  const history = market.pairs.map(() => createCandles(hours));
  for (let hour = 0; hour < hours; hour++) {
    market.advance().forEach((candle, index) => write(history[index], hour, fromMs + hour * hourMs, candle));
  }
  return history;
}

function write(
  candles: Candles,
  index: number,
  time: number,
  { open, high, low, close, volume }: DemoCandle,
): void {
  candles.time[index] = time;
  candles.open[index] = open;
  candles.high[index] = high;
  candles.low[index] = low;
  candles.close[index] = close;
  candles.volume[index] = volume;
}
