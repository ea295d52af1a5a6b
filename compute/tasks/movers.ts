import { movers as rank, type Movers, type MoversParams } from '../market/movers.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** Who rose, fell or traded most, from 1h candles. Throws `invalid_input`, `not_enough_history`. */
export const movers = defineTask({
  name: 'movers',
  run: (question: MarketQuestion<MoversParams>): Movers => rank(question),
});
