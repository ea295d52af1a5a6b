import {
  correlationMatrix as correlate,
  type CorrelationMatrix,
  type CorrelationMatrixParams,
} from '../market/correlation-matrix.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** How the returns of 2 to 15 assets move together. Throws `invalid_input`, `not_enough_history`. */
export const correlationMatrix = defineTask({
  name: 'correlation-matrix',
  run: (question: MarketQuestion<CorrelationMatrixParams>): CorrelationMatrix => correlate(question),
});
