import { reportVolatility, type VolatilityReport } from '../market/volatility.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** How far price swings, against this pair's own past. Throws `not_enough_history`. */
export const volatility = defineTask({
  name: 'volatility',
  run: (question: SeriesQuestion, scratch): VolatilityReport => reportVolatility(question, scratch),
});
