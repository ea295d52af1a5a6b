import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';
import { randomCandles } from './random-candles.js';

/** A copy that shares no memory with the original. */
export function copyOf(candles: Candles): Candles {
  const copy = createCandles(candles.time.length);
  for (const column of candleColumns) copy[column].set(candles[column]);
  return copy;
}

/** Candles that all stand at one price, without reach. */
export function flatCandles(count: number, price = 100): Candles {
  const candles = randomCandles(count);
  for (const column of ['open', 'high', 'low', 'close'] as const) candles[column].fill(price);
  return candles;
}

/** Candles whose prices do not move from index `at` on. */
export function frozenCandles(count: number, at: number): Candles {
  const candles = randomCandles(count);
  for (const column of ['open', 'high', 'low', 'close'] as const) candles[column].fill(candles.close[at], at);
  return candles;
}

/** Candles of a random walk, one of which closes at a price that swallows the moves around it in a running sum. */
export function spikedCandles(count: number, at: number): Candles {
  const candles = randomCandles(count);
  candles.high[at] = candles.close[at] = candles.close[at] * 1e17;
  candles.open[at + 1] = candles.high[at + 1] = candles.close[at];
  return candles;
}
