import {
  listIndicatorValues,
  type IndicatorValues,
  type IndicatorValuesParams,
} from '../market/indicator-values.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Indicators as numbers. Throws `not_enough_history`, `invalid_input`. */
export const indicatorValues = defineTask({
  name: 'indicator-values',
  run: (question: SeriesQuestion<IndicatorValuesParams>, scratch): IndicatorValues =>
    listIndicatorValues(question, scratch),
});
