import { createCandles, candleColumns, type Candles } from '../../../compute/model/candles.js';
import type { PairCandles } from '../../../compute/task.js';

/** Pairs against USDT, by their assets. */
export const pairsOf = (candles: Readonly<Record<string, Candles>>): PairCandles[] =>
  Object.entries(candles).map(([asset, each]) => ({ asset, tradeMarket: 'USDT', candles: each }));

/** The candles whose index passes, copied. */
export function candlesWhere(candles: Candles, keep: (index: number) => boolean): Candles {
  const kept = Array.from(candles.time.keys()).filter(keep);
  const target = createCandles(kept.length);
  for (const column of candleColumns)
    kept.forEach((from, at) => (target[column][at] = candles[column][from]));
  return target;
}

/** Candles without reach that close at the given prices, `stepMs` apart, and trade one unit each. */
export function candlesAt(
  closes: readonly number[],
  { startMs = Date.UTC(2024, 0, 1), stepMs = 86_400_000 } = {},
): Candles {
  const candles = createCandles(closes.length);
  closes.forEach((close, i) => {
    candles.time[i] = startMs + i * stepMs;
    for (const column of ['open', 'high', 'low', 'close'] as const) candles[column][i] = close;
    candles.volume[i] = 1;
  });
  return candles;
}
