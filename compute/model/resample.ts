import { createCandles, firstCandleFrom, sliceCandles, type Candles } from './candles.js';

export interface ResampleRange {
  /** Length of the new candles in ms. */
  bucketMs: number;
  /** Open time of the first candle of the whole series: a bucket that began before it is incomplete. */
  firstMs: number;
  /** Close time of the last candle of the whole series: a bucket that ends later is not complete. */
  endMs: number;
}

/**
 * Longer candles from the shorter ones in `source`, in UTC buckets of the candles present; gaps remain gaps. A bucket
 * is used if its time is over and it did not begin before the series.
 */
export function resampleCandles(source: Candles, { bucketMs, firstMs, endMs }: ResampleRange): Candles {
  const starts: number[] = [];
  for (
    let i = firstCandleFrom(source.time, Math.ceil(firstMs / bucketMs) * bucketMs);
    i < source.time.length;
  ) {
    const bucket = Math.floor(source.time[i] / bucketMs) * bucketMs;
    if (bucket + bucketMs > endMs) break;
    starts.push(i);
    while (i < source.time.length && source.time[i] < bucket + bucketMs) i++;
    if (i === source.time.length) break;
  }
  const target = createCandles(starts.length);
  starts.forEach((start, index) => {
    const bucket = Math.floor(source.time[start] / bucketMs) * bucketMs;
    const rows = sliceCandles(source, start, firstCandleFrom(source.time, bucket + bucketMs));
    writeBucket(rows, bucket, target, index);
  });
  return target;
}

function writeBucket(rows: Candles, bucket: number, target: Candles, index: number): void {
  let high = -Infinity;
  let low = Infinity;
  let volume = 0;
  for (let i = 0; i < rows.time.length; i++) {
    high = Math.max(high, rows.high[i]);
    low = Math.min(low, rows.low[i]);
    volume += rows.volume[i];
  }
  target.time[index] = bucket;
  target.open[index] = rows.open[0];
  target.high[index] = high;
  target.low[index] = low;
  target.close[index] = rows.close[rows.close.length - 1];
  target.volume[index] = volume;
}
