import {
  reportSupportResistance,
  type SupportResistance,
  type SupportResistanceParams,
} from '../market/support-resistance.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Price levels above and below the last close. Throws `not_enough_history`. */
export const supportResistance = defineTask({
  name: 'support-resistance',
  run: (question: SeriesQuestion<SupportResistanceParams>, scratch): SupportResistance =>
    reportSupportResistance(question, scratch),
});
