import { findDivergences, type DivergenceParams, type DivergenceReport } from '../market/divergences.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Where price and RSI, MACD or OBV do not agree. Throws `not_enough_history`. */
export const divergences = defineTask({
  name: 'divergences',
  run: (question: SeriesQuestion<DivergenceParams>, scratch): DivergenceReport =>
    findDivergences(question, scratch),
});
