import { firstCandleFrom, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { digestOfCandles, monthOf } from '../../../storage/candles/candle-block.js';
import type { ReadMonth, SeriesMonth } from '../../../storage/candles/candle-reader.js';

/** What a read of the candles brings a reader that holds the given months. */
export function readMonths(candles: Candles, held: readonly SeriesMonth[] = []): ReadMonth[] {
  const months: ReadMonth[] = [];
  for (let from = 0; from < candles.time.length;) {
    const date = new Date(candles.time[from]);
    const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    const to = firstCandleFrom(candles.time, end);
    const part = sliceCandles(candles, from, to);
    const read = { month: monthOf(candles.time[from]), count: to - from, digest: digestOfCandles(part) };
    const isHeld = held.some(({ month, digest }) => month === read.month && digest === read.digest);
    months.push({ ...read, candles: isHeld ? null : part });
    from = to;
  }
  return months;
}
