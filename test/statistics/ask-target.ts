import type { Candles } from '../../compute/model/candles.js';
import { estimateTargetProbability, type TargetProbability } from '../../compute/risk/target-probability.js';

/** What the past tells of a target 3 % above the last close against a stop 3 % below, within 60 hours. */
export function askTarget(candles: Candles): TargetProbability {
  const close = candles.close[candles.close.length - 1];
  const order = { side: 'long', entry: null, target: close * 1.03, stop: close * 0.97 } as const;
  return estimateTargetProbability(candles, { ...order, maxCandles: 60 });
}
