import { reportTrend, type TrendReport } from '../market/trend.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Strength, direction and age of the trend by several measures. Throws `not_enough_history`. */
export const trend = defineTask({
  name: 'trend',
  run: (question: SeriesQuestion, scratch): TrendReport => reportTrend(question, scratch),
});
