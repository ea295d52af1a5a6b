import { computeIndicator } from '../model/indicator.js';
import { rsi } from '../indicators/rsi.js';
import { sma } from '../indicators/sma.js';
import type { Candles } from '../model/candles.js';
import type { RsiCross } from '../model/cross-reading.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import {
  crossCandles,
  crossSignal,
  momentumWithin,
  oscillatorRounding,
  standingOf,
  trendOf,
} from './cross.js';

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
