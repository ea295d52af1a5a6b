import { readTailRisk, type TailRisk } from '../risk/tail-risk.js';
import { defineTask, type MarketQuestion } from '../task.js';

export interface TailRiskParams {
  /** Weight by asset, of any positive sum; the pairs hold each of them. */
  weights: Record<string, number>;
  lookbackDays: number;
}

/** Loss statistics of an asset or a basket on daily candles. Throws `invalid_input`, `not_enough_history`. */
export const tailRisk = defineTask({
  name: 'tail-risk',
  run: ({ pairs, interval, params }: MarketQuestion<TailRiskParams>): TailRisk =>
    readTailRisk(pairs, interval, params),
});
