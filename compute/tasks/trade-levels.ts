import { planTradeLevels, type TradeLevelParams, type TradePlan } from '../risk/trade-levels.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Entry range, stop and targets of a trade. Throws `not_enough_history`, `invalid_input`. */
export const tradeLevels = defineTask({
  name: 'trade-levels',
  run: (question: SeriesQuestion<TradeLevelParams>, scratch): TradePlan => planTradeLevels(question, scratch),
});
