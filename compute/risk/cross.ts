import type { CrossLabels, RsiCross, EmaCross, MacdCross } from '../model/cross-reading.js';
import type { Standing } from '../model/standing.js';
import { computeIndicator } from '../model/indicator.js';
import { rsi } from '../indicators/rsi.js';
import { sma } from '../indicators/sma.js';
import type { Candles } from '../model/candles.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { priceRounding } from '../model/price-rounding.js';
import { ema } from '../indicators/ema.js';
import { macd } from '../indicators/macd.js';

/** A cross is a signal on its own candle and the two after it. */
const freshCandles = 3;

/** The number of last candles that `crossSignal` reads. */
const crossCandles = freshCandles + 1;

/** Which of two lines is above; neutral where they are at most `rounding` apart. */
export function standingOf(fast: number, slow: number, rounding = 0): Standing {
  const distance = fast - slow;
  return distance > rounding ? 'bullish' : distance < -rounding ? 'bearish' : 'neutral';
}

/**
 * Whether the fast line has crossed the slow one on one of the last three candles; the latest cross counts. The cross is
 * on the first candle on which the fast line is on the other side, even if the two lines were equal before. Lines that are
 * at most `rounding` apart are equal.
 */
export function crossSignal(fast: Float64Array, slow: Float64Array, rounding = 0): CrossLabels['signal'] {
  for (let age = 1; age <= freshCandles; age++) {
    const now = fast.at(-age)! - slow.at(-age)!;
    const before = fast.at(-age - 1)! - slow.at(-age - 1)!;
    if (now > rounding && before <= rounding) return 'buy';
    if (now < -rounding && before >= -rounding) return 'sell';
  }
  return 'hold';
}

/** The direction from `base` to `value`; flat where they are at most `reach` apart. */
export function trendOf(value: number, base: number, reach = 0): CrossLabels['trend'] {
  const distance = value - base;
  return distance > reach ? 'up' : distance < -reach ? 'down' : 'flat';
}

/** Whether a value rises; flat where it has changed by at most `rounding`. */
function momentumOf(now: number, before: number, rounding = 0): 'rising' | 'falling' | 'flat' {
  const change = now - before;
  return change > rounding ? 'rising' : change < -rounding ? 'falling' : 'flat';
}

/** Differences of an oscillator up to this are rounding errors. */
export const oscillatorRounding = 1e-9;

/** The momentum of an oscillator: overbought or oversold beyond the limits, else whether it rises or falls. */
export function momentumWithin(
  now: number,
  before: number,
  oversold: number,
  overbought: number,
): CrossLabels['momentum'] {
  if (now > overbought) return 'overbought';
  if (now < oversold) return 'oversold';
  return momentumOf(now, before, oscillatorRounding);
}

const averagePeriod = 14;
const overbought = 70;
const oversold = 30;

/** The trend is flat while the average moves by at most this many points in `trendCandles`. */
const flatReach = 0.5;
const trendCandles = 3;

/** RSI(14) of the last candle against its own SMA(14). */
export const readRsiCross = (candles: Candles, scratch?: ScratchBuffers): RsiCross =>
  rsiCrossOf(computeIndicator(rsi, candles, {}, scratch).rsi, scratch);

/** The same from an RSI(14) that is already computed. */
export function rsiCrossOf(all: Float64Array, scratch?: ScratchBuffers): RsiCross {
  // Only the last values of the average are read.
  const line = all.subarray(1 - averagePeriod - crossCandles);
  const average = computeIndicator(sma, { close: line }, { period: averagePeriod }, scratch).sma;
  const now = line.at(-1)!;
  const mean = average.at(-1)!;
  return {
    value: standingOf(now, mean, oscillatorRounding),
    labels: {
      trend: trendOf(mean, average.at(-1 - trendCandles)!, flatReach),
      signal: crossSignal(line, average, oscillatorRounding),
      momentum: momentumWithin(now, line.at(-2)!, oversold, overbought),
    },
    results: { rsi: now, rsiMovingAvg: mean },
  };
}

/**
 * EMA(20) against EMA(50) on the last candle. Momentum is that of the gap between them, in percent of the close of the
 * same candle, since the candle before.
 */
export function readEmaCross(candles: Candles, scratch?: ScratchBuffers): EmaCross {
  const { close } = candles;
  const fast = computeIndicator(ema, candles, { period: 20 }, scratch).ema;
  const slow = computeIndicator(ema, candles, { period: 50 }, scratch).ema;
  const last = close.length - 1;
  const rounding = priceRounding(close[last]);
  const gap = (i: number) => (fast[i] - slow[i]) / close[i];
  return {
    value: standingOf(fast[last], slow[last], rounding),
    labels: {
      trend: trendOf(close[last], slow[last], rounding),
      signal: crossSignal(fast, slow, rounding),
      momentum: momentumOf(gap(last), gap(last - 1), priceRounding(1)),
    },
    results: { emaFast: fast[last], emaSlow: slow[last] },
  };
}

/** MACD(12, 26, 9) of the last candle against its signal line. */
export const readMacdCross = (candles: Candles, scratch?: ScratchBuffers): MacdCross =>
  macdCrossOf(computeIndicator(macd, candles, {}, scratch), priceRounding(candles.close.at(-1)!));

/** The same from lines that are already computed; differences of at most `rounding` are none. */
export function macdCrossOf(
  lines: Readonly<Record<'macd' | 'signal' | 'histogram', Float64Array>>,
  rounding: number,
): MacdCross {
  const [MACD, signalValue] = [lines.macd.at(-1)!, lines.signal.at(-1)!];
  const [before, histogram] = lines.histogram.subarray(-2);
  return {
    value: standingOf(MACD, signalValue, rounding),
    labels: {
      trend: trendOf(MACD, 0, rounding),
      signal: crossSignal(lines.macd, lines.signal, rounding),
      momentum: momentumOf(histogram, before, rounding),
    },
    results: { MACD, histogram, signalValue },
  };
}
