import { computeIndicator } from '../model/indicator.js';
import { adx } from '../indicators/adx.js';
import type { Candles } from '../model/candles.js';
import { trendStrengths, type AdxReading } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';

/** The limits of ADX between one strength and the next. */
const limits = [20, 25, 50, 75];

/** Strength and direction of the trend by ADX(14) of the last candle. */
export function readAdx(candles: Candles, scratch?: ScratchBuffers): AdxReading {
  const lines = computeIndicator(adx, candles, {}, scratch);
  const last = candles.close.length - 1;
  const value = lines.adx[last];
  const pdi = lines.pdi[last];
  const mdi = lines.mdi[last];
  const strength = limits.filter((limit) => value >= limit).length;
  return {
    value,
    pdi,
    mdi,
    strength,
    trendStrength: trendStrengths[strength],
    trendDirection: pdi > mdi ? 'up' : pdi < mdi ? 'down' : 'neutral',
  };
}
