import { correlation } from '../metrics/correlation.js';
import { correlationInterval, type CorrelationInterval } from '../metrics/correlation-interval.js';
import { engleGranger } from '../metrics/engle-granger.js';
import { halfLife } from '../metrics/half-life.js';
import { candleReturns, mean } from '../metrics/returns.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { AppError } from '../model/errors.js';
import { candlesPerYear, intervalMs } from '../model/interval.js';
import type { MarketQuestion } from '../task.js';
import { countGaps } from './align.js';
import { betaOf, type Beta } from './beta.js';
import { commonCloses } from './common-closes.js';
import { leadLag, type LeadLag } from './lead-lag.js';
import { marketNow } from './market-now.js';
import { rollingCandles, rollingCorrelation, type RollingCorrelation } from './rolling-correlation.js';

/** How few returns may make a relationship. */
const fewestReturns = 30;

export interface PairRelationshipParams {
  /** How many of the last common candles count, each with its return over the common candle before. */
  window: number;
}

/** Two assets in depth. Times in ms, UTC. */
export interface PairRelationship {
  asset: string;
  secondAsset: string;
  /** Returns of each asset: fewer than the window where the common history is shorter. */
  count: number;
  /** How many of them span more than one candle. */
  gaps: number;
  /** Open time of the candle that the first return starts from, and close time of the last. */
  from: number;
  to: number;
  /** Assets whose last candle is older than the other's: the window ends with it. */
  staleAssets: string[];
  /** Of the returns in the whole window. */
  correlation: CorrelationInterval;
  /** In its own 30 candles at each candle of the window; the first of them reach back before it. */
  rolling: RollingCorrelation;
  /** The asset's returns on those of the second. */
  beta: Beta;
  /** `first` is the asset, `second` the second asset. */
  leadLag: LeadLag;
  /** The price of the asset in units of the second: where it stands among the `count` + 1 closes of the window. */
  ratio: {
    now: number;
    mean: number;
    /** Standard deviation (n - 1). */
    deviation: number;
    /** Deviations from the mean; null where the ratio does not vary. */
    zScore: number | null;
    count: number;
  };
  /** ln(price) = intercept + hedgeRatio x ln(second price) + spread; null where a price does not vary. */
  spread: {
    hedgeRatio: number;
    intercept: number;
    now: number;
    /** Deviations of the spread from 0. */
    zScore: number | null;
    /** Of the spread's first-order autoregression. */
    autoregression: number | null;
    halfLifeCandles: number | null;
    count: number;
  } | null;
  /** Engle and Granger's test of the spread; a small p: the prices stay together. Null where there is nothing to test. */
  cointegration: {
    statistic: number;
    p: number;
    /** The same with the assets changed about; null where there is nothing to test. */
    reverseP: number | null;
    lags: number;
    count: number;
  } | null;
}

/**
 * How an asset relates to a second, on the candles both have; simple returns, logarithms of prices for the spread.
 * Throws `invalid_input` unless there are two different assets, `not_enough_history` with fewer than 30 common returns.
 */
export function pairRelationship({
  pairs,
  interval,
  params: { window },
}: MarketQuestion<PairRelationshipParams>): PairRelationship {
  const [asset, secondAsset] = twoAssets(pairs.map((pair) => pair.asset));
  const reach = window + rollingCandles;
  const { time, closes } = commonCloses(pairs, reach, fewestReturns + 1);
  const count = Math.min(window, time.length - 1);
  const first = time.length - 1 - count;
  const [all, allSecond] = closes.map((close) => candleReturns(close));
  const [returns, secondReturns] = [all.subarray(first), allSecond.subarray(first)];
  const step = intervalMs(interval);
  return {
    asset,
    secondAsset,
    count,
    gaps: countGaps(time.subarray(first), step),
    from: time[first],
    to: time[time.length - 1] + step,
    staleAssets: marketNow(pairs, interval).stale.map((pair) => pair.asset),
    correlation: correlationInterval(correlation(returns, secondReturns), count),
    rolling: rollingCorrelation(time.subarray(1), all, allSecond, count),
    beta: betaOf(returns, secondReturns, candlesPerYear(interval)),
    leadLag: leadLag(returns, secondReturns),
    ...pricesTogether(closes[0].subarray(first), closes[1].subarray(first)),
  };
}

function twoAssets(assets: readonly string[]): readonly string[] {
  const fault = (message: string, field: string) =>
    new AppError('invalid_input', message, { details: { field } });
  if (assets.length !== 2) throw fault(`expected 2 assets, found ${assets.length}`, 'assets');
  if (assets[0] === assets[1]) throw fault(`expected another asset than "${assets[0]}"`, 'secondAsset');
  return assets;
}

/** What the prices, not the returns, say of two assets. */
function pricesTogether(
  close: Float64Array,
  secondClose: Float64Array,
): Pick<PairRelationship, 'ratio' | 'spread' | 'cointegration'> {
  const ratio = close.map((price, i) => price / secondClose[i]);
  const [logs, secondLogs] = [close.map(Math.log), secondClose.map(Math.log)];
  const together = engleGranger(logs, secondLogs);
  const test = together?.test;
  const reverse = engleGranger(secondLogs, logs)?.test;
  return {
    ratio: standing(ratio),
    spread: together && spreadOf(together.slope, together.intercept, together.spread),
    cointegration: test ? { ...test, reverseP: reverse?.p ?? null } : null,
  };
}

/** A spread that deviates less than this, in logarithms, is rounding. */
const leastDeviation = 1e-10;

function spreadOf(
  hedgeRatio: number,
  intercept: number,
  spread: Float64Array,
): NonNullable<PairRelationship['spread']> {
  const { now, zScore, deviation } = standing(spread);
  const { coefficient, steps, count } = halfLife(spread);
  const moved = { zScore, autoregression: coefficient, halfLifeCandles: steps };
  const still = { zScore: null, autoregression: null, halfLifeCandles: null };
  return { hedgeRatio, intercept, now, ...(deviation > leastDeviation ? moved : still), count };
}

function standing(values: Float64Array): PairRelationship['ratio'] {
  const now = values[values.length - 1];
  const average = mean(values);
  const deviation = standardDeviation(values);
  const zScore = deviation > 0 ? (now - average) / deviation : null;
  return { now, mean: average, deviation, zScore, count: values.length };
}
