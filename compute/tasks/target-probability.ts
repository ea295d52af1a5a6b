import {
  estimateTargetProbability,
  type TargetOrder,
  type TargetProbability,
} from '../risk/target-probability.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** How often price touched a target before a stop. Throws `invalid_input`, `not_enough_history`. */
export const targetProbability = defineTask({
  name: 'target-probability',
  run: ({ candles, params }: SeriesQuestion<TargetOrder>, scratch): TargetProbability =>
    estimateTargetProbability(candles, params, scratch),
});
