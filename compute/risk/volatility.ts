import { computeIndicator } from '../model/indicator.js';
import { atr } from '../indicators/atr.js';
import { quantileOfUnsorted } from '../metrics/quantile.js';
import type { Candles } from '../model/candles.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** Candles in the percentile, the last included: thirty days. */
const percentileCandles = 720;
const percentile = 0.9;

export interface VolatilityReading {
  /** ATR(14) of the last candle in percent of its close. */
  atrPercent: number;
  /** The 90th percentile of that over the last 720 candles, or over all that have one. */
  usualLimit: number;
}

/** The range of a candle now, and the 90th percentile of the last thirty days. */
export function readVolatility(candles: Candles, scratch?: ScratchBuffers): VolatilityReading {
  const range = computeIndicator(atr, candles, {}, scratch).atr;
  const { length } = range;
  const from = Math.max(14, length - percentileCandles);
  const percents = range.slice(from);
  for (let i = from; i < length; i++) percents[i - from] *= 100 / candles.close[i];
  const atrPercent = percents[percents.length - 1];
  return { atrPercent, usualLimit: quantileOfUnsorted(percents, percentile) };
}
