import { defineAnalysis } from '../analysis.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason, nullReasonOf } from '../model/null-reason.js';
import { countOf } from '../model/count-of.js';
import { formatNumber } from '../model/format-number.js';
import { drawdowns, maxDrawdown } from '../metrics/drawdowns.js';
import { excessKurtosis, skewness, standardDeviation } from '../metrics/moments.js';
import { candleReturns } from '../metrics/returns.js';
import { quantileInterval } from '../metrics/quantile.js';
import { historicalValueAtRisk, lognormalValueAtRisk, type ValueAtRisk } from '../metrics/value-at-risk.js';
import { AppError } from '../model/errors.js';
import { candlesPerYear, intervalMs, type Interval } from '../model/interval.js';
import type { PairCandles } from '../task.js';
import { basketMember, buildBasket, type Basket } from './basket.js';
import { independentInTail } from './independent-in-tail.js';
import { whyNoIntervalEnd } from './why-no-interval-end.js';

const tailHorizons = [1, 7, 30] as const;
const tailConfidences = [95, 99] as const;

/** The fewest daily returns for which figures are given. */
const leastReturns = 30;

const listedDrawdowns = 5;
const listedDays = 10;
const dayMs = intervalMs('1d');

const method =
  'historical: quantile of past returns with an interval by ranks (Conover), for as many independent returns as the clustering of losses leaves (Newey and West; Politis and White, 2004); parametric: lognormal, mean 0';

const loss = {
  varPercent: field.number('value at risk; below 0 is a gain', { unit: 'percent' }),
  cvarPercent: field.number('mean loss beyond the value at risk', { unit: 'percent' }),
};

export type LossEstimate = Values<typeof loss>;

const lossAtConfidence = field.object('losses at one confidence', {
  confidencePercent: field.number('confidence', { unit: 'percent' }),
  historical: field.nullable(
    field.object(
      'from the past returns as they were; null where less than one of the returns that do not overlap is expected in the tail',
      {
        ...loss,
        varLowPercent: field.nullable(
          field.number(
            'lower end of the 95 % interval of the value at risk; null where the sample has no such loss',
            {
              unit: 'percent',
            },
          ),
        ),
        varHighPercent: field.nullable(
          field.number('upper end of that interval; null where the sample has no such loss', {
            unit: 'percent',
          }),
        ),
        tail: field.count('returns that the mean loss is made of'),
        reason: nullReason,
      },
    ),
  ),
  historicalReason: nullReasonOf('historical'),
  parametric: field.object(
    'from a lognormal distribution with a mean of 0, because the past mean is too uncertain: the deviation of daily log returns times the square root of the days',
    loss,
  ),
});

const horizonLossesField = field.object('losses over one horizon', {
  days: field.count('length of the horizon', { unit: 'days' }),
  count: field.count('returns over the horizon, one from each day: they overlap'),
  independent: field.count('returns among them that do not overlap'),
  losses: field.list('one for each confidence', lossAtConfidence),
});

type HistoricalLoss = NonNullable<Value<typeof lossAtConfidence>['historical']>;

export type HorizonLosses = Value<typeof horizonLossesField>;

const drawdownEpisode = field.object('a fall from a peak', {
  peak: field.time('open time of the day of the peak'),
  trough: field.time('open time of the lowest day'),
  recovery: field.nullable(
    field.time('open time of the day that closed at or above the peak again; null while the fall lasts'),
  ),
  depthPercent: field.number('depth at the trough, below 0', { unit: 'percent' }),
  daysDown: field.number('from peak to trough', { unit: 'days' }),
  days: field.number('from peak to recovery or, while the fall lasts, to the last candle', { unit: 'days' }),
});

const worstDay = field.object('one of the worst days', {
  time: field.time('open time of the day'),
  percent: field.number('return of the day', { unit: 'percent' }),
  contributions: field.list(
    'one for each asset',
    field.object('the part of an asset', {
      asset: field.text('asset symbol'),
      points: field.number('contribution to the return', { unit: 'points' }),
    }),
  ),
});

export type WorstDay = Value<typeof worstDay>;

const percentOf = (text: string) => field.number(text, { unit: 'percent' });

const tailRiskOutput = field.object('loss statistics', {
  from: field.time('open time of the first daily candle'),
  to: field.time('open time of the last daily candle'),
  returns: field.count('returns from one day to the next; a day after a gap has none'),
  weights: field.list('the assets of the basket', basketMember),
  horizons: field.list('one for each horizon', horizonLossesField),
  dailyVolatilityPercent: percentOf('standard deviation of the daily returns'),
  volatilityPercent: percentOf('the same annualised by the square root of 365'),
  downsideDeviationPercent: percentOf('root mean square of the daily losses over all days'),
  skewness: field.nullable(field.number('skewness of the daily returns')),
  excessKurtosis: field.nullable(field.number('excess kurtosis of the daily returns')),
  maxDrawdownPercent: percentOf('maximum drawdown, 0 or below'),
  drawdowns: field.list('the deepest drawdowns, the deepest first', drawdownEpisode),
  worstDays: field.list('the worst days, the worst first', worstDay),
  method: field.text('how the losses are estimated'),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type TailRisk = Value<typeof tailRiskOutput>;

export const tailRisk = defineAnalysis({
  name: 'tail-risk',
  title: 'Tail risk',
  summary:
    'Loss statistics of one asset or a weighted basket: VaR and CVaR over 1, 7 and 30 days, worst days, deepest drawdowns.',
  needs: 'assets',
  interval: '1d',
  params: {
    weights: field.record('weight by asset, of any positive sum', field.number('weight'), {
      keys: 'asset',
      min: 1,
      max: 50,
      example: { BTC: 0.6, ETH: 0.4 },
    }),
    lookbackDays: field.integer('how far back the sample reaches', {
      min: 90,
      max: 1_825,
      default: 365,
      unit: 'days',
    }),
  },
  assets: ({ weights }) => Object.keys(weights),
  output: tailRiskOutput,
  scope: 'public',
  tool: {
    name: 'get_tail_risk',
    headline: ({ weights, horizons, dailyVolatilityPercent, maxDrawdownPercent }) =>
      `${horizons
        .slice(0, 1)
        .map(
          ({ days, losses }) =>
            `Value at risk of ${weights.map(({ asset }) => asset).join(', ')} over ${countOf(days, 'day')}: ${losses.map(lossWords).join(', ')}`,
        )
        .join()}. Daily volatility ${formatNumber(dailyVolatilityPercent, 3)} %, deepest drawdown ${formatNumber(maxDrawdownPercent, 3)} %.`,
  },
  cost: 3,
  run: ({ pairs, interval, params }) => readTailRisk(pairs, interval, params),
});

/** Such as "3.1 % at 95 % (mean loss beyond it 4.6 %)", from past returns where there are enough. */
function lossWords({ confidencePercent, historical, parametric }: HorizonLosses['losses'][number]): string {
  const { varPercent, cvarPercent } = historical ?? parametric;
  return `${formatNumber(varPercent, 3)} % at ${confidencePercent} % (mean loss beyond it ${formatNumber(cvarPercent, 3)} %)`;
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
      horizonLosses(returnsOver(basket, days), days, standardDeviation(daily.map(Math.log1p))),
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
    method,
    notes: [
      ...notesOf(basket, lookbackDays),
      ...(deviation > 0 ? [] : ['skewness and excessKurtosis are null: the returns do not vary']),
    ],
  };
}

function needReturns(found: number): void {
  if (found >= leastReturns) return;
  const message = `tail risk needs ${leastReturns} returns of days that all assets have, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed: leastReturns, found } });
}

/** Returns over `days` days as fractions, one for each day that ends so many days without a gap. */
function returnsOver({ time, worth }: Basket, days: number): Float64Array {
  const found = new Float64Array(Math.max(0, time.length - days));
  let count = 0;
  for (let i = days; i < time.length; i++)
    if (time[i] - time[i - days] === days * dayMs) found[count++] = worth[i] / worth[i - days] - 1;
  return found.subarray(0, count);
}

function horizonLosses(returns: Float64Array, days: number, dailyDeviation: number): HorizonLosses {
  const count = returns.length;
  const independent = Math.ceil(count / days);
  const losses = tailConfidences.map((confidencePercent) => {
    const share = (100 - confidencePercent) / 100;
    // Rounded, because 1 - 0.99 is not exactly a hundredth.
    const needed = Math.round(1 / share);
    const isEnough = independent >= needed;
    return {
      confidencePercent,
      historical: isEnough ? historicalLoss(returns, share, days) : null,
      historicalReason: isEnough
        ? null
        : `needs ${needed} returns over ${days} days that do not overlap, found ${independent}`,
      parametric: lossOf(lognormalValueAtRisk(dailyDeviation * Math.sqrt(days), share)),
    };
  });
  return { days, count, independent, losses };
}

function historicalLoss(returns: Float64Array, share: number, days: number): HistoricalLoss {
  const ascending = returns.slice().sort();
  const past = historicalValueAtRisk(ascending, share);
  const independent = independentInTail(returns, 0 - past.valueAtRisk, days);
  const { low, high } = quantileInterval(ascending, share, independent);
  // A low return is a high loss. Subtraction from 0 gives 0 for a return of 0, where negation would give -0.
  const percent = (rate: number | null) => (rate === null ? null : 0 - rate * 100);
  const ends = { varLowPercent: percent(high), varHighPercent: percent(low) };
  const reason = whyNoIntervalEnd({ low, high }, independent);
  return { ...lossOf(past), ...ends, tail: past.tail, reason };
}

const lossOf = ({ valueAtRisk, conditional }: ValueAtRisk): LossEstimate => ({
  varPercent: valueAtRisk * 100 + 0,
  cvarPercent: conditional * 100 + 0,
});

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

/** Downside deviation: sqrt(mean(min(value, 0) ^ 2)), in the unit of the values; NaN without values. Sortino, 1994. */
function downsideDeviation(values: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += Math.min(0, values[i]) ** 2;
  return Math.sqrt(squares / values.length);
}
