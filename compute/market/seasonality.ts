import { defineAnalysis } from '../analysis.js';
import { holm, significance } from '../metrics/holm.js';
import { meanInterval, proportionInterval } from '../metrics/mean-interval.js';
import { median } from '../metrics/quantile.js';
import { mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/moments.js';
import { welchTest } from '../metrics/student.js';
import type { Candles } from '../model/candles.js';
import { countOf } from '../model/count-of.js';
import { AppError } from '../model/errors.js';
import { field, type Value } from '../model/field.js';
import { nullReason, reasonsOf } from '../model/null-reason.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { seasonCalendars, seasons, type Season, type SeasonCalendar } from './season-calendar.js';

const seasonalBucket = field.object('one hour, weekday, month or session', {
  bucket: field.text('name of the hour, weekday, month or session'),
  count: field.count('periods in the sample'),
  meanPercent: field.nullable(field.number('mean return of a period', { unit: 'percent' })),
  lowPercent: field.nullable(field.number('lower end of the 95 % interval of the mean', { unit: 'percent' })),
  highPercent: field.nullable(
    field.number('upper end of the 95 % interval of the mean', { unit: 'percent' }),
  ),
  medianPercent: field.nullable(field.number('median return of a period', { unit: 'percent' })),
  volatilityPercent: field.nullable(
    field.number('standard deviation of the returns of a period, not annualised', { unit: 'percent' }),
  ),
  meanVolume: field.nullable(field.number('mean volume of a period', { unit: 'base' })),
  upPercent: field.nullable(field.number('share of periods with a return above 0', { unit: 'percent' })),
  upLowPercent: field.nullable(
    field.number('lower end of the 95 % interval of that share (Wilson)', { unit: 'percent' }),
  ),
  upHighPercent: field.nullable(
    field.number('upper end of the 95 % interval of that share (Wilson)', { unit: 'percent' }),
  ),
  pValue: field.nullable(
    field.number(
      "p-value of Welch's test against the returns of all other buckets, with the degrees of freedom of the smaller sample, so that it holds of few periods too (Scheffe, 1970)",
    ),
  ),
  adjustedP: field.nullable(field.number('p-value corrected for the number of buckets (Holm)')),
  isSignificant: field.flag('whether the corrected p-value is below 0.05'),
  reason: nullReason,
});

export type SeasonalBucket = Value<typeof seasonalBucket>;

const by = field.choice('what the returns are grouped by', seasons, { default: 'weekday' });

const seasonalityOutput = field.object('returns by season', {
  by,
  from: field.time('start of the first period'),
  to: field.time('end of the last period'),
  count: field.count('periods in all buckets'),
  meanPercent: field.number('mean return of a period', { unit: 'percent' }),
  buckets: field.list('one for each hour, weekday, month or session', seasonalBucket),
});

export type Seasonality = Value<typeof seasonalityOutput>;

export const seasonality = defineAnalysis({
  name: 'seasonality',
  title: 'Seasonality',
  summary:
    'Mean return, volatility and volume of an asset by hour, weekday, month or session, and whether they differ significantly.',
  needs: 'series',
  interval: '1h',
  params: { by },
  output: seasonalityOutput,
  scope: 'public',
  tool: {
    name: 'get_seasonality',
    headline: ({ asset, by, count, buckets }) =>
      `${asset} by ${by} over ${countOf(count, 'period')}: ${
        buckets
          .filter(({ isSignificant }) => isSignificant)
          .map(({ bucket }) => bucket)
          .join(', ') || `no ${by}`
      } stands out significantly.`,
  },
  cost: 2,
  run: ({ candles, interval, params }) => readSeasonality(candles, interval, params.by),
});

/** Completed periods in time order: their returns in percent, and their volumes. */
interface Observations {
  count: number;
  bucket: Uint8Array;
  percent: Float64Array;
  volume: Float64Array;
  from: number;
  to: number;
}

/**
 * Return, volatility and volume by hour, weekday, month or session, UTC. One observation is one period: an hour, a day, a
 * calendar month, a whole session. Its return runs from the last close of the period before to its own last close; it
 * counts where the period is over and the one before has candles, so no return spans a missing period. A bucket is tested
 * against all others, not against 0, which a rising market alone would refute. Assumes independent periods.
 * Throws `invalid_input` for candles longer than the periods, `not_enough_history` without any observation.
 */
export function readSeasonality(candles: Candles, interval: Interval, by: Season): Seasonality {
  const calendar = seasonCalendars[by];
  if (intervalMs(interval) > intervalMs(calendar.longest))
    throw new AppError('invalid_input', `seasonality by ${by} needs ${calendar.longest} candles at most`, {
      details: { field: 'interval', found: interval },
    });
  const { count, from, to, ...columns } = observe(candles, interval, calendar);
  if (count === 0)
    throw new AppError('not_enough_history', `seasonality by ${by} needs two whole ${by}s in a row`, {
      details: { needed: 1, found: 0 },
    });
  const [percent, volume] = [columns.percent.subarray(0, count), columns.volume.subarray(0, count)];
  const bucket = columns.bucket.subarray(0, count);
  const buckets = calendar.buckets.map((name, number) => {
    const [volumes] = split(volume, bucket, number);
    return describeBucket(name, split(percent, bucket, number), volumes);
  });
  return { by, from, to, count, meanPercent: mean(percent), buckets: judge(buckets) };
}

function observe(
  { time, close, volume }: Candles,
  interval: Interval,
  { periodAt }: SeasonCalendar,
): Observations {
  const { length } = time;
  const found: Observations = {
    count: 0,
    bucket: new Uint8Array(length),
    percent: new Float64Array(length),
    volume: new Float64Array(length),
    from: NaN,
    to: NaN,
  };
  const knownMs = time[length - 1] + intervalMs(interval);
  let before = { endMs: NaN, close: NaN };
  for (let i = 0; i < length;) {
    const { bucket, startMs, endMs } = periodAt(time[i]);
    let sum = 0;
    while (i < length && time[i] < endMs) sum += volume[i++];
    if (endMs > knownMs) break;
    const last = close[i - 1];
    if (before.endMs === startMs) {
      if (found.count === 0) found.from = startMs;
      found.to = endMs;
      found.bucket[found.count] = bucket;
      found.percent[found.count] = (last / before.close - 1) * 100;
      found.volume[found.count++] = sum;
    }
    before = { endMs, close: last };
  }
  return found;
}

/** The returns of one bucket, and those of all others. */
function split(
  percent: Float64Array,
  bucket: Uint8Array,
  wanted: number,
): [own: Float64Array, others: Float64Array] {
  const own = new Float64Array(percent.length);
  const others = new Float64Array(percent.length);
  let [owned, rest] = [0, 0];
  for (let i = 0; i < percent.length; i++) {
    if (bucket[i] === wanted) own[owned++] = percent[i];
    else others[rest++] = percent[i];
  }
  return [own.subarray(0, owned), others.subarray(0, rest)];
}

type Tested = Omit<SeasonalBucket, 'adjustedP' | 'isSignificant'>;

function describeBucket(
  name: string,
  [own, others]: [Float64Array, Float64Array],
  volumes: Float64Array,
): Tested {
  const returns = [...own];
  const { count, mean: average, low, high, reason } = meanInterval(returns);
  const up = proportionInterval(returns.filter((percent) => percent > 0).length, count);
  const pValue = welchTest(own, others)?.safeP ?? null;
  return {
    bucket: name,
    count,
    meanPercent: average,
    lowPercent: low,
    highPercent: high,
    medianPercent: median(returns),
    volatilityPercent: count < 2 ? null : standardDeviation(own),
    meanVolume: count === 0 ? null : mean(volumes),
    upPercent: inPercent(up.share),
    upLowPercent: inPercent(up.low),
    upHighPercent: inPercent(up.high),
    pValue,
    reason: reasonsOf(reason, pValue === null && whyUntested(own, others)),
  };
}

const whyUntested = (own: Float64Array, others: Float64Array): string =>
  own.length < 2 || others.length < 2
    ? `a test needs two periods here and two elsewhere, found ${own.length} and ${others.length}`
    : 'the returns do not vary';

const inPercent = (share: number | null): number | null => (share === null ? null : share * 100);

/** Corrects the p-values for as many tests as were made. */
function judge(buckets: readonly Tested[]): SeasonalBucket[] {
  const tested = buckets.filter(({ pValue }) => pValue !== null);
  const adjusted = holm(tested.map(({ pValue }) => pValue!));
  return buckets.map((bucket) => {
    const place = tested.indexOf(bucket);
    const adjustedP = place < 0 ? null : adjusted[place];
    return { ...bucket, adjustedP, isSignificant: adjustedP !== null && adjustedP < significance };
  });
}
