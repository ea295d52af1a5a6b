import { candleColumns, type Candles } from '../../../compute/model/candles.js';

/** The candles without those that `isDropped` picks. */
export function dropCandles(
  candles: Candles,
  isDropped: (index: number, timeMs: number) => boolean,
): Candles {
  const kept = (column: Float64Array) => column.filter((_, i) => !isDropped(i, candles.time[i]));
  return Object.fromEntries(candleColumns.map((name) => [name, kept(candles[name])])) as Candles;
}
