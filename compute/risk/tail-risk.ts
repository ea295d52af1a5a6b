import { downsideDeviation } from '../metrics/downside-deviation.js';
import { drawdowns } from '../metrics/drawdowns.js';
import { excessKurtosis } from '../metrics/excess-kurtosis.js';
import { maxDrawdown } from '../metrics/max-drawdown.js';
import { candleReturns, mean } from '../metrics/returns.js';
import { skewness } from '../metrics/skewness.js';
import { standardDeviation } from '../metrics/standard-deviation.js';
import { historicalValueAtRisk, normalValueAtRisk, type ValueAtRisk } from '../metrics/value-at-risk.js';
import { AppError } from '../model/errors.js';
import { candlesPerYear, intervalMs, type Interval } from '../model/interval.js';
import type { PairCandles } from '../task.js';
import { buildBasket, type Basket, type BasketMember } from './basket.js';

export const tailHorizons = [1, 7, 30] as const;
export const tailConfidences = [95, 99] as const;

/** How many returns of one day are the least that anything is said of. */
export const leastReturns = 30;

const listedDrawdowns = 5;
const listedDays = 10;
const dayMs = intervalMs('1d');

/** A loss in percent of the worth, above 0; below 0 is a gain. */
export interface LossEstimate {
  /** Exceeded in as many cases as the confidence leaves. */
  varPercent: number;
  /** Mean loss in those cases. */
  cvarPercent: number;
}

export interface LossAtConfidence {
  confidencePercent: number;
  /** From the past returns as they were; `tail` of them make the CVaR. Null with fewer than two. */
  historical: (LossEstimate & { tail: number }) | null;
  /** From a normal distribution: the daily mean times the days, the daily deviation times the root of the days. */
  parametric: LossEstimate;
}

export interface HorizonLosses {
  days: number;
  /** Returns over so many days in a row, begun on every day, so that they overlap; and how many do not. */
  count: number;
  independent: number;
  losses: LossAtConfidence[];
}

/** A fall from a peak. Times are opens of daily candles, ms UTC. */
export interface DrawdownEpisode {
  peak: number;
  trough: number;
  /** The day that closed at or above the peak again; null while it lasts. */
  recovery: number | null;
  /** At the trough, below 0. */
  depthPercent: number;
  /** Days from peak to trough, and from peak to recovery or, while it lasts, to the last candle. */
  daysDown: number;
  days: number;
}

/** One of the worst days: its open time in ms UTC, return, and what each asset brought to it, in percentage points. */
export interface WorstDay {
  time: number;
  percent: number;
  contributions: { asset: string; points: number }[];
}

export interface TailRisk {
  /** Open times of the first and last daily candle, ms UTC. */
  from: number;
  to: number;
  /** Returns from one day to the next; a day after a gap is none. */
  returns: number;
  weights: BasketMember[];
  horizons: HorizonLosses[];
  /** Standard deviation of the daily returns; the same brought to a year by the root of 365. */
  dailyVolatilityPercent: number;
  volatilityPercent: number;
  /** Root mean square of the daily losses over all days. */
  downsideDeviationPercent: number;
  skewness: number | null;
  excessKurtosis: number | null;
  maxDrawdownPercent: number;
  /** Deepest first. */
  drawdowns: DrawdownEpisode[];
  /** Worst first. */
  worstDays: WorstDay[];
  notes: string[];
}

/**
 * Loss statistics of a basket over the last `lookbackDays`: of the days on which all its assets have candles, its shares
 * restored on each. Returns are simple. A return counts over a horizon where no day is missing within it; drawdowns run
 * over all days. Throws `invalid_input` (weights, interval) and `not_enough_history` below 30 daily returns.
 */
export function readTailRisk(
  pairs: readonly PairCandles[],
  interval: Interval,
  { weights, lookbackDays }: { weights: Readonly<Record<string, number>>; lookbackDays: number },
): TailRisk {
  if (interval !== '1d')
    throw new AppError('invalid_input', `tail risk needs 1d candles, found ${interval}`, {
      details: { field: 'interval', found: interval },
    });
  const basket = buildBasket(pairs, weights, (lastMs) => lastMs - lookbackDays * dayMs);
  const { time, worth, members } = basket;
  const daily = returnsOver(basket, 1);
  needReturns(daily.length);
  const deviation = standardDeviation(daily);
  const fall = drawdowns(worth).sort((a, b) => a.depth - b.depth);
  return {
    from: time[0],
    to: time[time.length - 1],
    returns: daily.length,
    weights: members,
    horizons: tailHorizons.map((days) =>
      horizonLosses(returnsOver(basket, days), days, mean(daily), deviation),
    ),
    dailyVolatilityPercent: deviation * 100,
    volatilityPercent: deviation * Math.sqrt(candlesPerYear('1d')) * 100,
    downsideDeviationPercent: downsideDeviation(daily) * 100,
    skewness: skewness(daily),
    excessKurtosis: excessKurtosis(daily),
    maxDrawdownPercent: maxDrawdown(worth)!,
    drawdowns: fall.slice(0, listedDrawdowns).map(({ peak, trough, recovery, depth }) => ({
      peak: time[peak],
      trough: time[trough],
      recovery: recovery === null ? null : time[recovery],
      depthPercent: depth * 100,
      daysDown: (time[trough] - time[peak]) / dayMs,
      days: (time[recovery ?? time.length - 1] - time[peak]) / dayMs,
    })),
    worstDays: worstDays(basket),
    notes: notesOf(basket, lookbackDays),
  };
}

function needReturns(found: number): void {
  if (found >= leastReturns) return;
  const message = `tail risk needs ${leastReturns} returns of days that all assets have, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed: leastReturns, found } });
}

/** Returns over so many days, as fractions, from every day on that is followed by as many without a gap. */
function returnsOver({ time, worth }: Basket, days: number): Float64Array {
  const found = new Float64Array(Math.max(0, time.length - days));
  let count = 0;
  for (let i = days; i < time.length; i++)
    if (time[i] - time[i - days] === days * dayMs) found[count++] = worth[i] / worth[i - days] - 1;
  return found.subarray(0, count);
}

function horizonLosses(
  returns: Float64Array,
  days: number,
  dailyMean: number,
  dailyDeviation: number,
): HorizonLosses {
  const ascending = returns.slice().sort();
  const count = ascending.length;
  const inPercent = ({ valueAtRisk, conditional }: ValueAtRisk): LossEstimate => ({
    varPercent: valueAtRisk * 100,
    cvarPercent: conditional * 100,
  });
  const losses = tailConfidences.map((confidencePercent) => {
    const share = (100 - confidencePercent) / 100;
    const past = count < 2 ? null : historicalValueAtRisk(ascending, share);
    const normal = normalValueAtRisk(dailyMean * days, dailyDeviation * Math.sqrt(days), share);
    const historical = past && { ...inPercent(past), tail: past.tail };
    return { confidencePercent, historical, parametric: inPercent(normal) };
  });
  return { days, count, independent: Math.ceil(count / days), losses };
}

function worstDays({ members, time, closes, worth }: Basket): WorstDay[] {
  const days: WorstDay[] = [];
  candleReturns(worth).forEach((change, i) => {
    if (change >= 0 || time[i + 1] - time[i] !== dayMs) return;
    const contributions = members.map(({ asset, weight }, m) => ({
      asset,
      points: weight * (closes[m][i + 1] / closes[m][i] - 1) * 100,
    }));
    days.push({ time: time[i + 1], percent: change * 100, contributions });
  });
  return days.sort((a, b) => a.percent - b.percent).slice(0, listedDays);
}

function notesOf({ time }: Basket, lookbackDays: number): string[] {
  const spanned = (time[time.length - 1] - time[0]) / dayMs;
  const missing = spanned + 1 - time.length;
  return [
    ...(spanned < lookbackDays
      ? [`the common history is ${spanned} days, shorter than ${lookbackDays}`]
      : []),
    ...(missing > 0 ? [`${missing} days are missing: no return spans them`] : []),
  ];
}
