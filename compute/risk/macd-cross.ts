import { computeIndicator } from '../model/indicator.js';
import { macd } from '../indicators/macd.js';
import type { Candles } from '../model/candles.js';
import type { MacdCross } from '../model/cross-reading.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { crossSignal, momentumOf, standingOf, trendOf } from './cross.js';

/** MACD(12, 26, 9) of the last candle against its signal line. */
export const readMacdCross = (candles: Candles, scratch?: ScratchBuffers): MacdCross =>
  macdCrossOf(computeIndicator(macd, candles, {}, scratch));

/** The same from lines that are already computed. */
export function macdCrossOf(
  lines: Readonly<Record<'macd' | 'signal' | 'histogram', Float64Array>>,
): MacdCross {
  const [MACD, signalValue] = [lines.macd.at(-1)!, lines.signal.at(-1)!];
  const [before, histogram] = lines.histogram.subarray(-2);
  return {
    value: standingOf(MACD, signalValue),
    labels: {
      trend: trendOf(MACD, 0),
      signal: crossSignal(lines.macd, lines.signal),
      momentum: momentumOf(histogram, before),
    },
    results: { MACD, histogram, signalValue },
  };
}
