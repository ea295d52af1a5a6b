import { holm } from '../metrics/holm.js';
import { meanInterval, median } from '../metrics/mean-interval.js';
import { proportionInterval } from '../metrics/proportion-interval.js';
import { mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { welchTest } from '../metrics/welch.js';
import type { Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { seasonCalendars, type Season, type SeasonCalendar } from './season-calendar.js';

/** The share that an adjusted p-value has to stay below for a bucket to count as different. */
const significance = 0.05;

/** What price and volume did in one hour of the day, weekday, month or session; null where there are too few periods. */
export interface SeasonalBucket {
  bucket: string;
  /** How many periods: hours, days, months or sessions. */
  count: number;
  /** Mean return of a period with its 95 % confidence interval. */
  meanPercent: number | null;
  lowPercent: number | null;
  highPercent: number | null;
  medianPercent: number | null;
  /** Standard deviation of the returns of a period, not brought to a year. */
  volatilityPercent: number | null;
  /** Mean volume of a period in base units. */
  meanVolume: number | null;
  /** Periods with a return above 0, in percent of all, with Wilson's 95 % interval. */
  upPercent: number | null;
  upLowPercent: number | null;
  upHighPercent: number | null;
  /** Welch's test of the returns against those of all other buckets; then the same corrected for the number of buckets (Holm). */
  pValue: number | null;
  adjustedP: number | null;
  /** Whether the adjusted p-value is below 0.05. */
  isSignificant: boolean;
}

export interface Seasonality {
  by: Season;
  /** Start of the first period and end of the last, ms UTC. */
  from: number;
  to: number;
  /** Periods of all buckets, and the mean return of one. */
  count: number;
  meanPercent: number;
  buckets: SeasonalBucket[];
}

/** One period that is over: its return in percent, and its volume. */
interface Observation {
  bucket: number;
  startMs: number;
  endMs: number;
  percent: number;
  volume: number;
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
  const observations = observe(candles, interval, calendar);
  if (observations.length === 0)
    throw new AppError('not_enough_history', `seasonality by ${by} needs one whole ${by} after another`, {
      details: { needed: 1, found: 0 },
    });
  const returns = Float64Array.from(observations, ({ percent }) => percent);
  return {
    by,
    from: observations[0].startMs,
    to: observations[observations.length - 1].endMs,
    count: observations.length,
    meanPercent: mean(returns),
    buckets: judge(calendar.buckets.map((name, bucket) => describe(name, bucket, observations))),
  };
}

function observe(
  { time, close, volume }: Candles,
  interval: Interval,
  { periodAt }: SeasonCalendar,
): Observation[] {
  const observations: Observation[] = [];
  const knownMs = time[time.length - 1] + intervalMs(interval);
  let before = { endMs: NaN, close: NaN };
  for (let i = 0; i < time.length;) {
    const period = periodAt(time[i]);
    let sum = 0;
    while (i < time.length && time[i] < period.endMs) sum += volume[i++];
    if (period.endMs > knownMs) break;
    const last = close[i - 1];
    if (before.endMs === period.startMs)
      observations.push({ ...period, percent: (last / before.close - 1) * 100, volume: sum });
    before = { endMs: period.endMs, close: last };
  }
  return observations;
}

type Tested = Omit<SeasonalBucket, 'adjustedP' | 'isSignificant'>;

function describe(name: string, bucket: number, observations: readonly Observation[]): Tested {
  const own = observations.filter((each) => each.bucket === bucket);
  const others = observations.filter((each) => each.bucket !== bucket);
  const returns = own.map(({ percent }) => percent);
  const { count, mean: average, low, high } = meanInterval(returns);
  const up = proportionInterval(returns.filter((percent) => percent > 0).length, count);
  const columnOf = (some: readonly Observation[]) => Float64Array.from(some, ({ percent }) => percent);
  return {
    bucket: name,
    count,
    meanPercent: average,
    lowPercent: low,
    highPercent: high,
    medianPercent: median(returns),
    volatilityPercent: count < 2 ? null : standardDeviation(columnOf(own)),
    meanVolume: meanInterval(own.map(({ volume }) => volume)).mean,
    upPercent: inPercent(up.share),
    upLowPercent: inPercent(up.low),
    upHighPercent: inPercent(up.high),
    pValue: welchTest(columnOf(own), columnOf(others))?.p ?? null,
  };
}

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
