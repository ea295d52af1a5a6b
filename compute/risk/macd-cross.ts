import { priceRounding } from '../model/price-rounding.js';
import { computeIndicator } from '../model/indicator.js';
import { macd } from '../indicators/macd.js';
import type { Candles } from '../model/candles.js';
import type { MacdCross } from '../model/cross-reading.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { crossSignal, momentumOf, standingOf, trendOf } from './cross.js';

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
