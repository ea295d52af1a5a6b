import { summariseTechnicals, type TechnicalSummary } from '../market/technical-summary.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** The votes of all indicators, a verdict and its conflicts. Throws `not_enough_history`. */
export const technicalSummary = defineTask({
  name: 'technical-summary',
  run: (question: SeriesQuestion, scratch): TechnicalSummary => summariseTechnicals(question, scratch),
});
