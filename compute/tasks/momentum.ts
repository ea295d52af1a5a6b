import { reportMomentum, type MomentumReport } from '../market/momentum.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** RSI, MACD, Stochastic and CCI with their crosses and percentiles. Throws `not_enough_history`. */
export const momentum = defineTask({
  name: 'momentum',
  run: (question: SeriesQuestion, scratch): MomentumReport => reportMomentum(question, scratch),
});
