import { defineAnalysis } from '../analysis.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { pivotPointsField } from './pivot-points.js';
import { findPriceLevels, priceLevelFields, type PriceLevel } from './price-levels.js';
import { readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';
import type { Swing } from './swings.js';

/** The closed candles that the reading needs. */
const supportCandles = 60;

const supportResistanceParams = {
  maxLevels: field.count('levels on either side at most', { min: 1, max: 20, default: 8 }),
};

export type SupportResistanceParams = Values<typeof supportResistanceParams>;

const seenLevel = field.object('a level as seen from the last close', {
  ...priceLevelFields,
  distancePercent: field.number('distance from the close, negative below it', { unit: 'percent' }),
  distanceAtr: field.nullable(
    field.number('distance from the close, negative below it; null where ATR(14) is 0', { unit: 'atr' }),
  ),
  confluence: field.count('other levels within a quarter of an ATR'),
});

export type SeenLevel = Value<typeof seenLevel>;

const datedSwing = (text: string) =>
  field.object(text, {
    kind: field.choice('a high or a low', ['high', 'low']),
    time: field.time('open time of its candle'),
    price: field.number('its high or low', { unit: 'quote' }),
  });

type DatedSwing = Value<ReturnType<typeof datedSwing>>;

const supportResistanceOutput = field.object('levels above and below the last close', {
  ...readAtFields,
  atr: field.number('ATR(14)', { unit: 'quote' }),
  above: field.list('levels above the close, the nearest first', seenLevel),
  below: field.list('levels at or below the close, the nearest first', seenLevel),
  pivots: field.nullable(pivotPointsField),
  majorSwing: field.nullable(
    field.object('the move from which the Fibonacci levels are computed; null without one', {
      from: datedSwing('where it began'),
      to: datedSwing('where it ended'),
    }),
  ),
  swings: field.count('confirmed swings among the last 500 candles'),
});

export type SupportResistance = Value<typeof supportResistanceOutput>;

export const supportResistance = defineAnalysis({
  name: 'support-resistance',
  title: 'Support and resistance',
  summary:
    'Price levels above and below the last close of an asset: swing clusters with touches, pivot points, Donchian edges, Fibonacci levels of the last major swing, distance in ATR.',
  needs: 'series',
  params: supportResistanceParams,
  output: supportResistanceOutput,
  scope: 'public',
  tool: {
    name: 'get_support_resistance',
    headline: ({ asset, interval, price, above, below }) =>
      `${asset} at ${formatNumber(price)} on ${interval}: next level above ${above.length > 0 ? formatNumber(above[0].price) : 'none'}, below ${below.length > 0 ? formatNumber(below[0].price) : 'none'}.`,
  },
  cost: 2,
  run: (question, scratch) => reportSupportResistance(question, scratch),
});

/** Levels at which price may turn, the nearest first; `findPriceLevels` says how they are found. Throws `not_enough_history`. */
export function reportSupportResistance(
  question: SeriesQuestion<SupportResistanceParams>,
  scratch = new ScratchBuffers(),
): SupportResistance {
  requireCandles('a reading of support and resistance', question, supportCandles);
  const { time } = question.candles;
  const at = readAt(question);
  const { atr, levels, pivots, majorLeg, swings } = findPriceLevels(question, scratch);
  const dated = ({ kind, index, price }: Swing): DatedSwing => ({ kind, time: time[index], price });
  const seen = levels
    .map((level) => seenFrom(at.price, atr, level, levels))
    .sort((left, right) => Math.abs(left.price - at.price) - Math.abs(right.price - at.price));
  const { maxLevels } = question.params;
  return {
    ...at,
    atr,
    above: seen.filter(({ price }) => price > at.price).slice(0, maxLevels),
    below: seen.filter(({ price }) => price <= at.price).slice(0, maxLevels),
    pivots,
    majorSwing: majorLeg && { from: dated(majorLeg.from), to: dated(majorLeg.to) },
    swings: swings.length,
  };
}

const confluenceReach = 0.25;

function seenFrom(price: number, atr: number, level: PriceLevel, all: readonly PriceLevel[]): SeenLevel {
  const near = all.filter((other) => Math.abs(other.price - level.price) <= confluenceReach * atr);
  return {
    ...level,
    distancePercent: (level.price / price - 1) * 100,
    distanceAtr: atr > 0 ? (level.price - price) / atr : null,
    confluence: near.length - 1,
  };
}
