import { priceRounding } from '../model/price-rounding.js';
import { computeIndicator } from '../model/indicator.js';
import { ema } from '../indicators/ema.js';
import type { Candles } from '../model/candles.js';
import type { EmaCross } from '../model/cross-reading.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { crossSignal, momentumOf, standingOf, trendOf } from './cross.js';

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
