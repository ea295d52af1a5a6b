import { countOf } from '../model/count-of.js';
import { defineAnalysis } from '../analysis.js';
import { computeIndicator, paramsOf } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import { macd } from '../indicators/macd.js';
import { obv } from '../indicators/obv.js';
import { rsi } from '../indicators/rsi.js';
import { mean } from '../metrics/returns.js';
import { field, type Value, type Values } from '../model/field.js';
import { intervalMs } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { candlesAgo } from './last-cross.js';
import { readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';
import { findPendingSwings, findSwings, type Swing } from './swings.js';

/** The closed candles that the reading needs. */
const divergenceCandles = 60;

/** A swing is the extreme of this many candles on either side, so it is confirmed this many candles later. */
const swingReach = 3;

/** The first candle that has ATR and RSI. */
const firstRange = 14;

/** Two swings that are compared are at most this many candles apart. */
const mostBetween = 60;

const lookback = field.count('candles in which the later swing may be, the last ones', {
  min: 1,
  max: 300,
  default: 120,
  unit: 'candles',
});

const divergenceParams = { lookback };

export type DivergenceParams = Values<typeof divergenceParams>;

const swingValue = (text: string) =>
  field.object(text, {
    time: field.time('open time of its candle'),
    price: field.number('its high or low', { unit: 'quote' }),
    value: field.number('the indicator on that candle'),
  });

const divergence = field.object('price and an indicator that disagree from one swing to the next', {
  indicator: field.choice('the indicator', ['rsi', 'macd_histogram', 'obv']),
  type: field.choice(
    'regular: price makes a higher high or a lower low and the indicator does not, which speaks for a turn; hidden: the indicator does and price does not, which speaks for the trend',
    ['regular', 'hidden'],
  ),
  sentiment: field.choice('bearish at highs, bullish at lows', ['bullish', 'bearish']),
  status: field.choice(
    'pending until three candles have closed after the later swing; a pending divergence may vanish',
    ['confirmed', 'pending'],
  ),
  from: swingValue('the earlier swing'),
  to: swingValue('the later swing'),
  candles: field.count('candles from one swing to the other', { unit: 'candles' }),
  candlesAgo,
  confirmedAt: field.nullable(
    field.time('close time of the candle that confirmed the later swing; null while it is pending'),
  ),
});

export type Divergence = Value<typeof divergence>;

const divergencesOutput = field.object('divergences between price and indicators', {
  ...readAtFields,
  lookback,
  divergences: field.list(
    'the newest first; for the same swing in the order RSI, MACD histogram, OBV',
    divergence,
  ),
});

export type DivergenceReport = Value<typeof divergencesOutput>;

export const divergences = defineAnalysis({
  name: 'divergences',
  title: 'Divergences',
  summary:
    'Regular and hidden divergences between the price swings of an asset and RSI, MACD or OBV: type, both swings, confirmed or pending.',
  needs: 'series',
  params: divergenceParams,
  output: divergencesOutput,
  scope: 'public',
  tool: {
    name: 'get_divergences',
    headline: ({ asset, interval, divergences }) => {
      const count = (is: (each: Divergence) => boolean) => divergences.filter(is).length;
      const [newest] = divergences.toSorted((one, other) => one.candlesAgo - other.candlesAgo);
      const last =
        newest === undefined
          ? ''
          : `; the newest is ${newest.sentiment} (${newest.type}, ${newest.indicator}, ${countOf(newest.candlesAgo, 'candle')} ago)`;
      return `${countOf(divergences.length, 'divergence')} of ${asset} on ${interval}: ${count(({ sentiment }) => sentiment === 'bullish')} bullish, ${count(({ sentiment }) => sentiment === 'bearish')} bearish, ${count(({ status }) => status === 'confirmed')} confirmed${last}.`;
    },
  },
  cost: 2,
  run: (question, scratch) => findDivergences(question, scratch),
});

/** An indicator that is compared with price. */
interface Line {
  indicator: Divergence['indicator'];
  values: Float64Array;
  /** Index of its first value. */
  first: number;
  /** The least change that counts, by the index of the later swing. */
  least: (i: number) => number;
}

/**
 * Divergences between price and RSI(14), the histogram of MACD(12, 26, 9) or OBV, whose later swing is among the last
 * `lookback` candles. A swing is the extreme of the three candles on either side. It is compared with the one of its
 * kind before it, at most 60 candles earlier; the indicator is read on the candle of the swing. Small differences do not
 * count: the least are ATR(14) / 10 in price, 1 point of RSI, ATR / 50 of the histogram and the mean volume of 20 candles
 * for OBV, all at the later swing. A confirmed divergence stays. Throws `not_enough_history`.
 */
export function findDivergences(
  question: SeriesQuestion<DivergenceParams>,
  scratch = new ScratchBuffers(),
): DivergenceReport {
  requireCandles('a reading of divergences', question, divergenceCandles);
  const { candles, params } = question;
  const { length } = candles.time;
  const from = Math.max(0, length - params.lookback - mostBetween);
  const confirmed = findSwings(candles, swingReach, from);
  const swings = [...confirmed, ...findPendingSwings(candles, swingReach)];
  const range = computeIndicator(atr, candles, {}, scratch).atr;
  const lines = linesOf(question, range, scratch);
  const found = (['high', 'low'] as const).flatMap((kind) => {
    const same = swings.filter((swing) => swing.kind === kind);
    return same
      .slice(1)
      .flatMap((swing, n) => lines.flatMap((line) => divergenceOf(line, [same[n], swing], range, question)));
  });
  const recent = found
    .filter(({ candlesAgo }) => candlesAgo < params.lookback)
    .sort((left, right) => left.candlesAgo - right.candlesAgo);
  return { ...readAt(question), lookback: params.lookback, divergences: recent };
}

function linesOf({ candles }: SeriesQuestion, range: Float64Array, scratch: ScratchBuffers): Line[] {
  const { histogram } = computeIndicator(macd, candles, {}, scratch);
  const balance = computeIndicator(obv, candles, {}, scratch).obv;
  const strength = computeIndicator(rsi, candles, {}, scratch).rsi;
  const firstHistogram = macd.warmup(paramsOf(macd.params), 'histogram');
  const usualVolume = (i: number) => mean(candles.volume.subarray(Math.max(0, i - 19), i + 1));
  return [
    { indicator: 'rsi', values: strength, first: firstRange, least: () => 1 },
    { indicator: 'macd_histogram', values: histogram, first: firstHistogram, least: (i) => range[i] / 50 },
    { indicator: 'obv', values: balance, first: firstRange, least: usualVolume },
  ];
}

/** The divergence from one swing to the next of its kind, in a list; an empty list without one. */
function divergenceOf(
  { indicator, values, first, least }: Line,
  [from, to]: readonly [Swing, Swing],
  range: Float64Array,
  { candles, interval }: SeriesQuestion,
): Divergence[] {
  const apart = to.index - from.index;
  if (apart > mostBetween || from.index < first) return [];
  const way = to.kind === 'high' ? 1 : -1;
  const price = way * (to.price - from.price);
  const change = way * (values[to.index] - values[from.index]);
  if (price * change >= 0) return [];
  if (Math.abs(price) < range[to.index] / 10 || Math.abs(change) < least(to.index)) return [];
  const { time } = candles;
  const last = time.length - 1;
  const confirming = to.index + swingReach;
  const valueOf = ({ index, price }: Swing) => ({ time: time[index], price, value: values[index] });
  return [
    {
      indicator,
      type: price > 0 ? 'regular' : 'hidden',
      sentiment: to.kind === 'high' ? 'bearish' : 'bullish',
      status: confirming <= last ? 'confirmed' : 'pending',
      from: valueOf(from),
      to: valueOf(to),
      candles: apart,
      candlesAgo: last - to.index,
      confirmedAt: confirming <= last ? time[confirming] + intervalMs(interval) : null,
    },
  ];
}
