import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, type Interval } from '../../../compute/model/interval.js';

export const hourMs = 3_600_000;

/** The candles at the given positions. */
export function pickCandles(candles: Candles, positions: readonly number[]): Candles {
  const picked = createCandles(positions.length);
  for (const column of candleColumns)
    positions.forEach((from, to) => (picked[column][to] = candles[column][from]));
  return picked;
}

/** All candles but those at the given positions. */
export function withoutCandles(candles: Candles, positions: readonly number[]): Candles {
  return pickCandles(
    candles,
    Array.from(candles.time.keys()).filter((i) => !positions.includes(i)),
  );
}

/**
 * 4h or 1d candles by the words of design.md, row by row: UTC buckets of the rows present; a bucket counts once its
 * time is over and its first hour is not before the first row.
 */
export function resampledByWords(candles: Candles, interval: Interval): Candles {
  const ms = intervalMs(interval);
  const end = candles.time[candles.time.length - 1] + hourMs;
  const buckets = new Map<number, number[][]>();
  candles.time.forEach((time, i) => {
    const start = time - (time % ms);
    if (start < candles.time[0] || start + ms > end) return;
    const row = [candles.open[i], candles.high[i], candles.low[i], candles.close[i], candles.volume[i]];
    buckets.set(start, [...(buckets.get(start) ?? []), row]);
  });
  const rows = [...buckets].map(([start, hours]) => ({
    time: start,
    open: hours[0][0],
    high: Math.max(...hours.map(([, high]) => high)),
    low: Math.min(...hours.map(([, , low]) => low)),
    close: hours[hours.length - 1][3],
    volume: hours.reduce((sum, [, , , , volume]) => sum + volume, 0),
  }));
  const target = createCandles(rows.length);
  rows.forEach((row, i) => candleColumns.forEach((column) => (target[column][i] = row[column])));
  return target;
}
