import { defineAnalysis } from '../analysis.js';
import { atr } from '../indicators/atr.js';
import { field, type Value } from '../model/field.js';
import { computeIndicator } from '../model/indicator.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { percentFrom, readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';

const atrPeriod = 14;

const params = {
  period: field.integer('candles among which the high and the low are found', {
    min: 2,
    max: 1000,
    default: 55,
    unit: 'candles',
  }),
};

const extreme = (text: string) =>
  field.object(text, {
    price: field.number('the extreme', { unit: 'quote' }),
    time: field.time('open time of the last candle that reached it'),
    percent: field.nullable(
      field.number('distance of the close from it, negative below it', { unit: 'percent' }),
    ),
    atr: field.nullable(
      field.number('the same distance; null while the price does not move', { unit: 'atr' }),
    ),
  });

const output = field.object('distance of the close from the extremes of the last candles', {
  ...readAtFields,
  high: extreme('the highest high'),
  low: extreme('the lowest low'),
});

export type PriceDistance = Value<typeof output>;

/** Distance of the close from the high and the low of the last candles. */
export const priceDistance = defineAnalysis({
  name: 'price-distance',
  title: 'Distance from high and low',
  summary:
    'How far the close of an asset is from the high and the low of its last candles, in percent and in multiples of ATR(14).',
  needs: 'series',
  params,
  output,
  scope: 'public',
  cost: 1,
  run: (question, scratch) => measurePriceDistance(question, scratch),
});

/** Distances on the last candle. Throws `not_enough_history`. */
export function measurePriceDistance(
  question: SeriesQuestion<{ period: number }>,
  scratch = new ScratchBuffers(),
): PriceDistance {
  const { candles, params } = question;
  requireCandles('a price distance', question, Math.max(params.period, atrPeriod + 1));
  const { time, high, low, close } = candles;
  const last = close.length - 1;
  const range = computeIndicator(atr, candles, { period: atrPeriod }, scratch).atr[last];
  const distance = (column: Float64Array, price: number) => ({
    price,
    time: time[column.lastIndexOf(price)],
    percent: percentFrom(price, close[last]),
    atr: range > 0 ? (close[last] - price) / range : null,
  });
  return {
    ...readAt(question),
    high: distance(high, Math.max(...high.subarray(-params.period))),
    low: distance(low, Math.min(...low.subarray(-params.period))),
  };
}
