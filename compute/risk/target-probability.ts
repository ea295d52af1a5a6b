import { defineAnalysis } from '../analysis.js';
import { field, type Value, type Values } from '../model/field.js';
import { computeIndicator } from '../model/indicator.js';
import { natr } from '../indicators/natr.js';
import { valueAt } from '../metrics/quantile.js';
import type { Candles } from '../model/candles.js';
import { AppError, fieldError } from '../model/errors.js';
import { formatNumber } from '../model/format-number.js';
import { tradeSides, type TradeSide } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { firstTouches } from './first-touch.js';
import { touchFields, touchMethod, touchStatistics } from './touch-statistics.js';

/** The first candle that has an ATR; no start lies before it. */
const firstStart = natr.warmup({ period: natr.params.period.default }, 'natr');

/** The least distance from the entry, as a fraction of it. Closer prices differ only by rounding. */
const leastDistance = 1e-9;

/** An order whose outcome is measured over the past. Prices in quote units. */
export interface TargetOrder {
  side: TradeSide;
  /** Null: the last close. */
  entry: number | null;
  target: number;
  stop: number;
  /** The number of candles that the order is followed. */
  maxCandles: number;
}

const percentOf = (text: string) => field.number(text, { unit: 'percent' });

/** Times of similar volatility: those whose ATR(14) in percent of the close lies within the band. */
const volatilityBandFields = {
  atrPercent: percentOf('ATR(14) of the last candle, as a share of the close'),
  percentile: field.number('rank of that value among all candles, 0 to 100'),
  fromAtrPercent: percentOf('lower edge of the band'),
  toAtrPercent: percentOf('upper edge of the band'),
};

export type VolatilityBand = Values<typeof volatilityBandFields>;

const targetProbabilityOutput = field.object('how often the target was touched before the stop', {
  entry: field.number('entry price', { unit: 'quote' }),
  targetDistancePercent: percentOf('distance of the target from the entry, above 0'),
  stopDistancePercent: percentOf('distance of the stop from the entry, above 0'),
  rewardToRisk: field.number('distance of the target divided by that of the stop'),
  breakEvenPercent: percentOf(
    'share of starts that would have to touch the target first to break even, if one of both were always touched',
  ),
  all: field.object('over the whole past', touchFields),
  similar: field.object('at times of similar volatility: ATR rank within 10 points of now', {
    ...touchFields,
    ...volatilityBandFields,
  }),
  method: field.text('how the intervals are made'),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type TargetProbability = Value<typeof targetProbabilityOutput>;

export const targetProbability = defineAnalysis({
  name: 'target-probability',
  title: 'Target probability',
  summary:
    'How often, in the whole past and in similar volatility, price touched a target before a stop within some candles.',
  needs: 'series',
  params: {
    side: field.choice('side of the trade', tradeSides, { default: 'long' }),
    entry: field.nullable(
      field.decimal('entry price; null: the last close', { unit: 'quote', isPositive: true }),
      {
        default: null,
      },
    ),
    target: field.decimal('target price', { unit: 'quote', isPositive: true, example: '1000000000' }),
    stop: field.decimal('stop price', { unit: 'quote', isPositive: true, example: '0.000000001' }),
    maxCandles: field.integer('how long the order is followed', {
      min: 1,
      max: 500,
      default: 60,
      unit: 'candles',
    }),
  },
  output: targetProbabilityOutput,
  scope: 'public',
  tool: {
    name: 'estimate_target_probability',
    headline: ({ asset, interval, ...answer }) => `${asset} on ${interval}: ${oddsWords(answer)}`,
  },
  cost: 2,
  run: ({ candles, params }, scratch) => {
    const { side, entry, target, stop, maxCandles } = params;
    const order = {
      side,
      entry: entry === null ? null : Number(entry),
      target: Number(target),
      stop: Number(stop),
    };
    return estimateTargetProbability(candles, { ...order, maxCandles }, scratch);
  },
});

/**
 * How often the price touched the target before the stop within `maxCandles`, for an order entered at the close of each
 * past candle with the same distances in percent: over the whole past, and at times of similar volatility (ATR rank
 * within 10 points of the present one). Only starts with all of these candles count; otherwise late starts would count
 * only if they touched early. A candle that touches both counts as stop. Throws `invalid_input` with the field, `not_enough_history`.
 */
export function estimateTargetProbability(
  candles: Candles,
  order: TargetOrder,
  scratch?: ScratchBuffers,
): TargetProbability {
  const { length } = candles.close;
  const { maxCandles } = order;
  needHistory(length, maxCandles);
  const close = candles.close[length - 1];
  const entry = order.entry ?? close;
  checkOrder({ ...order, entry });
  const range = { from: firstStart, to: length - maxCandles, limit: maxCandles };
  const touches = firstTouches(candles, { ...order, entry }, range);
  const followed = { from: firstStart, size: length, limit: maxCandles };
  const { natr: atr } = computeIndicator(natr, candles, {}, scratch);
  const band = bandOf(atr.subarray(firstStart));
  const { fromAtrPercent, toAtrPercent } = band;
  const isSimilar = (n: number) => {
    const value = atr[firstStart + n];
    return value >= fromAtrPercent && value <= toAtrPercent;
  };
  const [reward, risk] = [Math.abs(order.target - entry), Math.abs(order.stop - entry)];
  const rewardToRisk = reward / risk;
  return {
    entry,
    targetDistancePercent: (reward / entry) * 100,
    stopDistancePercent: (risk / entry) * 100,
    rewardToRisk,
    breakEvenPercent: 100 / (1 + rewardToRisk),
    all: touchStatistics(touches, () => true, followed),
    similar: { ...touchStatistics(touches, isSimilar, followed), ...band },
    method: touchMethod,
    notes: [
      'a candle that touches both target and stop counts as stop',
      ...(entry === close
        ? []
        : [`assumes a fill at ${formatNumber(entry)}; the last close is ${formatNumber(close)}`]),
    ],
  };
}

/** The fewest independent starts at similar volatility that a decision rests on; with fewer, the whole past decides. */
const fewestSimilar = 10;

/** The decision, by the starts at times of similar volatility where there are enough of them. */
function oddsWords({ all, similar, breakEvenPercent }: TargetProbability): string {
  const isSimilar = similar.targetPercent !== null && similar.independent >= fewestSimilar;
  const { targetPercent, targetLowPercent, targetHighPercent, count, expectedR } = isSimilar ? similar : all;
  const percent = (value: number | null) =>
    value === null ? 'an unknown share' : `${formatNumber(value, 3)} %`;
  if (targetPercent === null) return 'the past has no start to count.';
  const when = isSimilar
    ? `at volatility like today's the target came first in ${percent(targetPercent)} of ${count} starts (in ${percent(all.targetPercent)} of all ${all.count})`
    : `the target came first in ${percent(targetPercent)} of ${count} starts (too few were at volatility like today's)`;
  const decision =
    targetLowPercent === null || targetHighPercent === null
      ? 'too few are independent to decide'
      : targetLowPercent > breakEvenPercent
        ? 'above break-even'
        : targetHighPercent < breakEvenPercent
          ? 'below break-even'
          : 'not distinguishable from break-even';
  const gain = expectedR === null ? '' : `, mean result ${formatNumber(expectedR, 2)} R before costs`;
  const isWithin = decision.startsWith('not ');
  const range = isWithin
    ? `, which lies within the uncertainty of ${percent(targetLowPercent)} to ${percent(targetHighPercent)}`
    : '';
  return `${decision}: ${when}; break-even needs ${percent(breakEvenPercent)}${range}${gain}.`;
}

function needHistory(found: number, maxCandles: number): void {
  const needed = firstStart + 1 + maxCandles;
  if (found >= needed) return;
  const message = `to follow an order for ${maxCandles} candles needs ${needed} of them, found ${found}`;
  throw new AppError('not_enough_history', message, { details: { needed, found } });
}

function checkOrder({ side, entry, target, stop }: TargetOrder & { entry: number }): void {
  for (const [field, price] of Object.entries({ entry, target, stop }))
    if (!(price > 0 && price < Infinity))
      throw fieldError(field, `"${field}" has to be above 0, found ${price}`);
  const [beyond, before] = side === 'long' ? ['above', 'below'] : ['below', 'above'];
  const sign = side === 'long' ? 1 : -1;
  if ((target - entry) * sign <= leastDistance * entry)
    throw fieldError(
      'target',
      `the target of a ${side} has to lie ${beyond} its entry ${entry}, found ${target}`,
    );
  if ((entry - stop) * sign <= leastDistance * entry)
    throw fieldError('stop', `the stop of a ${side} has to lie ${before} its entry ${entry}, found ${stop}`);
}

/** The band around the last value: ten points of rank, a tenth of all steps, to either side. */
function bandOf(atrPercents: Float64Array): VolatilityBand {
  const ascending = atrPercents.slice().sort();
  const now = atrPercents[atrPercents.length - 1];
  let [below, upTo] = [0, 0];
  for (const value of ascending) {
    if (value < now) below++;
    if (value <= now) upTo++;
  }
  // Twice the rank from 0 on, the middle of equal values.
  const twiceRank = below + upTo - 1;
  const steps = ascending.length - 1;
  // Whole numbers over a whole number: a value that lies exactly on the edge is not lost to rounding.
  const edge = (way: number) =>
    valueAt(ascending, Math.min(steps, Math.max(0, (5 * twiceRank + way * steps) / 10)));
  return {
    atrPercent: now,
    percentile: (twiceRank / 2 / Math.max(1, steps)) * 100,
    // Between ranks the edge is interpolated.
    fromAtrPercent: Math.min(now, edge(-1)),
    toAtrPercent: Math.max(now, edge(1)),
  };
}
