import { computeIndicator, paramsOf } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import { macd } from '../indicators/macd.js';
import { obv } from '../indicators/obv.js';
import { rsi } from '../indicators/rsi.js';
import { mean } from '../metrics/returns.js';
import { intervalMs } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import type { SeriesQuestion } from '../task.js';
import { readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';
import { findPendingSwings, findSwings, type Swing } from './swings.js';

/** How many closed candles the reading needs at least. */
export const divergenceCandles = 60;

/** How many candles to either side of a swing lie below it (or, for a low, above): a swing is confirmed so much later. */
const swingReach = 3;

/** The first candle that has ATR and RSI. */
const firstRange = 14;

/** How far apart, in candles, two swings may be that are held against each other. */
const mostBetween = 60;

export interface DivergenceParams {
  /** How many candles back the later swing may be, the last candle included. */
  lookback: number;
}

/**
 * Price and an indicator that do not agree from one swing to the next of the same kind. Regular: price makes a higher
 * high or a lower low and the indicator does not follow, which speaks for a turn. Hidden: price makes a lower high or a
 * higher low although the indicator went beyond its last, which speaks for the trend. Highs speak bearish, lows bullish.
 */
export interface Divergence {
  indicator: 'rsi' | 'macd_histogram' | 'obv';
  type: 'regular' | 'hidden';
  sentiment: 'bullish' | 'bearish';
  /** Pending while the later swing may still be outdone by one of the next three candles; it may vanish then. */
  status: 'confirmed' | 'pending';
  from: SwingValue;
  to: SwingValue;
  /** How many candles lie from one swing to the other, and from the later one to the last candle. */
  candles: number;
  candlesAgo: number;
  /** Close time, in ms, UTC, of the candle that confirmed the later swing; null while that is pending. */
  confirmedAt: number | null;
}

/** A swing: open time of its candle in ms, UTC, its high or low, and the indicator on that candle. */
export interface SwingValue {
  time: number;
  price: number;
  value: number;
}

export interface DivergenceReport extends ReadAt {
  lookback: number;
  /** The newest first; of the same swing in the order RSI, MACD histogram, OBV. */
  divergences: Divergence[];
}

/** A column to be held against price: from which candle on it has values, and from which change on at a candle it counts. */
interface Line {
  indicator: Divergence['indicator'];
  values: Float64Array;
  first: number;
  least: (i: number) => number;
}

/**
 * Divergences between price and RSI(14), the histogram of MACD(12, 26, 9) or OBV, whose later swing lies within the
 * last `lookback` candles. Swings are highs and lows with three candles to either side; each is held against the one of
 * its kind before it, at most 60 candles earlier; the indicator is read on the candle of the swing. A difference counts
 * from a tenth of ATR(14) on in price, from 1 point of RSI, a fiftieth of ATR of the histogram, and the mean volume of
 * 20 candles of OBV, all at the later swing: two highs that are all but equal are no higher high. What is confirmed
 * stays. Throws `not_enough_history`.
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
  const divergences = found
    .filter(({ candlesAgo }) => candlesAgo < params.lookback)
    .sort((left, right) => left.candlesAgo - right.candlesAgo);
  return { ...readAt(question), lookback: params.lookback, divergences };
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

/** The divergence from one swing to the next of its kind, or nothing. */
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
