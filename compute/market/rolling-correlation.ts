import { downsample } from '../backtest/downsample.js';
import { correlation } from '../metrics/correlation.js';
import { median } from '../metrics/quantile.js';
import { field, type Value } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';

/** The number of returns in the window of a rolling correlation. */
export const rollingCandles = 30;

const mostPoints = 120;

const correlationField = (text: string) => field.nullable(field.number(text));

export const rollingCorrelationField = field.object('correlation of the last 30 returns at each candle', {
  candles: field.count('returns in each window'),
  count: field.count('candles that have a rolling correlation'),
  now: correlationField('at the last candle; null where a price did not move in its 30 returns'),
  min: correlationField('lowest'),
  max: correlationField('highest'),
  median: correlationField('median'),
  reason: nullReason,
  series: field.list(
    'at most 120 points, the extremes among them',
    field.object('a point', {
      time: field.integer('open time of the candle, in seconds since 1970, UTC'),
      value: field.number('rolling correlation'),
    }),
  ),
});

export type RollingCorrelation = Value<typeof rollingCorrelationField>;

/** Rolling correlations at the last `most` candles. `time` and both columns of returns have the same length. */
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
    reason: whyNull(now, values.length, time.length),
    series: downsample(Float64Array.from(times), Float64Array.from(values), mostPoints),
  };
}

function whyNull(now: number | null, known: number, returns: number): string | null {
  if (now !== null) return null;
  if (returns < rollingCandles) return `needs ${rollingCandles} returns, found ${returns}`;
  return known === 0
    ? `a price did not move within any ${rollingCandles} returns`
    : `a price did not move within the last ${rollingCandles} returns`;
}
