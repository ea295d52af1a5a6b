import type { Candles } from '../../../compute/model/candles.js';

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** A window's log closes brought to mean 0 and variance 1. */
function normalized(closes: readonly number[]): number[] {
  const logs = closes.map((close) => Math.log(close));
  const mean = average(logs);
  const deviation = Math.sqrt(average(logs.map((log) => (log - mean) ** 2)));
  return logs.map((log) => (log - mean) / deviation);
}

/** Starts and distances of the nearest windows, by comparing every one in full and sorting all of them. */
export function naiveSimilarHistory(candles: Candles, candleMs: number, window: number, most: number) {
  const rows = Array.from(candles.close, (close, i) => ({ close, time: candles.time[i] }));
  const query = normalized(rows.slice(-window).map(({ close }) => close));
  const isWhole = (part: typeof rows) =>
    part.every(({ time }, i) => i === 0 || time - part[i - 1].time === candleMs);
  const all: { start: number; distance: number }[] = [];
  const wholeStarts: number[] = [];
  for (let start = 0; start + window <= rows.length - window; start++) {
    const part = rows.slice(start, start + window);
    if (!isWhole(part)) continue;
    wholeStarts.push(start);
    const shape = normalized(part.map(({ close }) => close));
    all.push({ start, distance: Math.hypot(...shape.map((value, i) => value - query[i])) });
  }
  all.sort((a, b) => a.distance - b.distance);
  const picked: typeof all = [];
  for (const each of all)
    if (
      picked.length < most &&
      picked.every(({ start }) => Math.abs(start - each.start) >= Math.max(window, 20))
    )
      picked.push(each);
  const after = (start: number, count: number) => {
    const part = rows.slice(start + window - 1, start + window + count);
    return part.length === count + 1 && isWhole(part)
      ? (100 * part[count].close) / part[0].close - 100
      : null;
  };
  return { picked, wholeStarts, after };
}
