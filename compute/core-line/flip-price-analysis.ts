import { defineAnalysis } from '../analysis.js';
import { differenceWords, pictureField } from '../market/picture.js';
import { readAt, readAtFields } from '../market/read-at.js';
import { requireCandles } from '../market/require-candles.js';
import { readPicture } from '../market/technical-summary.js';
import { flipPriceFields, stateColors, trendStates, type NextClose } from '../model/core-line.js';
import { field, type Value } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { currentState } from './current-state.js';
import { flipPrice } from './flip-price.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

const flipPriceOutput = field.object('where the state changes', {
  ...readAtFields,
  picture: pictureField,
  state: field.choice('trend state now', trendStates),
  color: field.choice('colour that charts show the state in', Object.values(stateColors)),
  ...flipPriceFields,
});

export type FlipPriceReading = Value<typeof flipPriceOutput>;

export const flipPriceAnalysis = defineAnalysis({
  name: 'flip-price',
  title: 'Flip price',
  summary:
    'The closing price at which the trend state of an asset would change on the next candle, with its distance in percent and ATR.',
  needs: 'series',
  params: {},
  output: flipPriceOutput,
  scope: 'public',
  tool: {
    name: 'get_flip_price',
    headline: ({ asset, interval, state, price, targets, picture }) =>
      `${asset} is in state ${state} on ${interval} at ${formatNumber(price)}. ${targets.map((target) => targetWords(price, target)).join(' ')}${differenceWords(picture)}`,
  },
  cost: 1,
  run: (question, scratch) => readFlipPrice(question, scratch),
});

/** Throws `not_enough_history` with fewer candles than a state needs. */
function readFlipPrice(question: SeriesQuestion, scratch?: ScratchBuffers): FlipPriceReading {
  requireCandles('a flip price', question, coreLineParams.readyIndex + 1);
  const { candles, interval } = question;
  const coreLine = computeCoreLine(candles, scratch);
  const state = currentState(candles, coreLine.state, interval).state!;
  const picture = readPicture(question, scratch, coreLine);
  return { ...readAt(question), picture, state, color: stateColors[state], ...flipPrice(candles, coreLine)! };
}

function targetWords(
  last: number,
  { to, nearest, agreeing, candlesNeeded }: FlipPriceReading['targets'][number],
): string {
  if (nearest) return `A close ${closesWords(last, nearest)} turns it to ${to}.`;
  if (agreeing && candlesNeeded > 1)
    return `It takes ${candlesNeeded} candles to turn to ${to}, the first closing ${closesWords(last, agreeing)}.`;
  return `No close of the next candle turns it to ${to}.`;
}

/** A range of closes; each level is rounded to the side where what is said of it holds. */
function closesWords(last: number, { close, lowest, highest }: NextClose): string {
  const level = (value: number, side: 'up' | 'down') =>
    `${formatNumber(value, 6, side)} (${formatNumber((value / last - 1) * 100, 3)} %)`;
  if (close > last)
    return `at or above ${level(close, 'up')}${highest === null ? '' : ` and below ${level(highest, 'down')}`}`;
  if (close < last)
    return `at or below ${level(close, 'down')}${lowest === null ? '' : ` and above ${level(lowest, 'up')}`}`;
  const limits = [
    ...(highest === null ? [] : [`at or above ${level(highest, 'up')}`]),
    ...(lowest === null ? [] : [`at or below ${level(lowest, 'down')}`]),
  ];
  return limits.length === 0 ? 'anywhere' : `anywhere but ${limits.join(' or ')}`;
}
