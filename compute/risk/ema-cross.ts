import { computeIndicator } from '../model/indicator.js';
import { ema } from '../indicators/ema.js';
import type { Candles } from '../model/candles.js';
import type { RiskAssessment } from '../model/risk-assessment.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { crossSignal, momentumOf, standingOf, trendOf } from './cross.js';

/**
 * EMA(20) of the last candle against EMA(50). Momentum is rising when the fast line has moved upwards against the
 * slow one since the candle before, each gap taken in percent of its own close.
 */
export function readEmaCross(candles: Candles, scratch?: ScratchBuffers): RiskAssessment['emaCross'] {
  const { close } = candles;
  const fast = computeIndicator(ema, candles, { period: 20 }, scratch).ema;
  const slow = computeIndicator(ema, candles, { period: 50 }, scratch).ema;
  const last = close.length - 1;
  const gap = (i: number) => (fast[i] - slow[i]) / close[i];
  return {
    value: standingOf(fast[last], slow[last]),
    labels: {
      trend: trendOf(close[last], slow[last]),
      signal: crossSignal(fast, slow),
      momentum: momentumOf(gap(last), gap(last - 1)),
    },
    results: { emaFast: fast[last], emaSlow: slow[last] },
  };
}
