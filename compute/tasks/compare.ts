import { compareStrategies, type CompareParams, type Comparison } from '../backtest/compare.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** Several strategies on several pairs, ranked, with a correction for how many were tried. Throws `invalid_input`. */
export const compare = defineTask({
  name: 'compare',
  phases: ['backtest'],
  run: ({ pairs, interval, params }: MarketQuestion<CompareParams>, scratch, onProgress): Comparison =>
    compareStrategies(pairs, interval, params, scratch, onProgress),
});
