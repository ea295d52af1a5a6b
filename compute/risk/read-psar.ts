import { computeIndicator } from '../model/indicator.js';
import { psar } from '../indicators/psar.js';
import type { Candles } from '../model/candles.js';
import { formatNumber } from '../model/format-number.js';
import type { PsarReading } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { roundSignificant, significantDigits } from './round-numbers.js';

/** The side of the parabolic stop, PSAR(0.02, 0.2), on which the last candle closed; a close on the stop is down. */
export function readPsar(candles: Candles, scratch?: ScratchBuffers): PsarReading {
  const last = candles.close.length - 1;
  const stop = computeIndicator(psar, candles, {}, scratch).psar[last];
  return {
    value: candles.close[last] > stop ? 'up' : 'down',
    psarValue: formatNumber(roundSignificant(stop), significantDigits),
  };
}
