import { downsample, type Point } from '../backtest/downsample.js';
import { correlation } from '../metrics/correlation.js';
import { median } from '../metrics/mean-interval.js';

/** How many returns a rolling correlation looks back over. */
export const rollingCandles = 30;

const mostPoints = 120;

/** How a correlation changed: that of the last 30 returns at each candle. */
export interface RollingCorrelation {
  candles: number;
  /** How many candles have one. */
  count: number;
  /** At the last candle; null where a price did not move in the 30. */
  now: number | null;
  min: number | null;
  max: number | null;
  median: number | null;
  /** At most 120 points, extremes kept; time is the open of the candle in seconds, UTC. */
  series: Point[];
}

/** Rolling correlations at the last `most` candles; `time` and both returns are equally long. */
export function rollingCorrelation(
  time: Float64Array,
  first: Float64Array,
  second: Float64Array,
  most: number,
): RollingCorrelation {
  const times: number[] = [];
  const values: number[] = [];
  let now: number | null = null;
  for (let end = Math.max(rollingCandles, time.length - most + 1); end <= time.length; end++) {
    const from = end - rollingCandles;
    now = correlation(first.subarray(from, end), second.subarray(from, end));
    if (now === null) continue;
    times.push(time[end - 1]);
    values.push(now);
  }
  const some = values.length > 0;
  return {
    candles: rollingCandles,
    count: values.length,
    now,
    min: some ? Math.min(...values) : null,
    max: some ? Math.max(...values) : null,
    median: median(values),
    series: downsample(Float64Array.from(times), Float64Array.from(values), mostPoints),
  };
}
