import { computeIndicator } from '../model/indicator.js';
import { sma } from '../indicators/sma.js';
import type { Candles } from '../model/candles.js';
import type { Standing } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { lastCross, priceRounding } from './last-cross.js';
import { percentFrom } from './read-at.js';

const periods = [10, 20, 50, 100, 200] as const;

/** Over how many candles a slope is taken. */
const slopeCandles = 5;

export interface MovingAverages {
  /** Simple averages of the close over 10, 20, 50, 100 and 200 candles. */
  lines: MovingAverage[];
  /** Bullish where every known average is above the next longer one, bearish where each is below, else mixed. */
  order: 'bullish' | 'bearish' | 'mixed';
  /** How many neighbours of the known averages stand in bullish and in bearish order. */
  bullishPairs: number;
  bearishPairs: number;
  /** The 50 against the 200: null before both are there. */
  longTerm: Standing | null;
  /** When the 50 last crossed the 200: upwards a golden cross, downwards a death cross. */
  lastCross: { kind: 'golden' | 'death'; time: number; candlesAgo: number } | null;
}

export interface MovingAverage {
  period: number;
  /** In quote units; null before so many candles. */
  value: number | null;
  /** How far the close lies above it, in percent of the average. */
  distancePercent: number | null;
  /** Its mean change per candle over the last 5, in percent of where it was 5 candles ago. */
  slopePercent: number | null;
}

/** The moving averages of the last candle, their order and slopes. Needs 50 candles, for three of them. */
export function readMovingAverages(candles: Candles, scratch: ScratchBuffers): MovingAverages {
  const { time, close } = candles;
  const last = close.length - 1;
  const columns = periods.map((period) => computeIndicator(sma, candles, { period }, scratch).sma);
  const lines = columns.map((line, n) => readLine(line, periods[n], close[last]));
  const known = columns.map((line) => line[last]).filter((value) => !Number.isNaN(value));
  const rounding = priceRounding(close[last]);
  const gaps = known.slice(1).map((value, n) => known[n] - value);
  const bullishPairs = gaps.filter((gap) => gap > rounding).length;
  const bearishPairs = gaps.filter((gap) => gap < -rounding).length;
  const [, , fast, , slow] = columns;
  const cross = lastCross(time, fast, slow, rounding);
  const kind = cross?.way === 'up' ? 'golden' : 'death';
  return {
    lines,
    order: orderOf(gaps.length, bullishPairs, bearishPairs),
    bullishPairs,
    bearishPairs,
    longTerm: Number.isNaN(slow[last]) ? null : standingWithin(fast[last] - slow[last], rounding),
    lastCross: cross && { kind, time: cross.time, candlesAgo: cross.candlesAgo },
  };
}

function readLine(line: Float64Array, period: number, price: number): MovingAverage {
  const last = line.length - 1;
  const value = line[last];
  if (last < period - 1) return { period, value: null, distancePercent: null, slopePercent: null };
  const before = last - slopeCandles;
  const change = before < period - 1 ? null : percentFrom(line[before], value);
  return {
    period,
    value,
    distancePercent: percentFrom(value, price),
    slopePercent: change === null ? null : change / slopeCandles,
  };
}

function orderOf(pairs: number, bullish: number, bearish: number): MovingAverages['order'] {
  if (bullish === pairs) return 'bullish';
  return bearish === pairs ? 'bearish' : 'mixed';
}

/** What a distance speaks for that counts as none within `reach` of 0. */
export function standingWithin(distance: number, reach: number): Standing {
  if (distance > reach) return 'bullish';
  return distance < -reach ? 'bearish' : 'neutral';
}
