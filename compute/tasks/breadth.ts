import { breadth as measure, type Breadth, type BreadthParams } from '../market/breadth.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** How many assets of a market took part in its moves, candle by candle. Throws `not_enough_history`. */
export const breadth = defineTask({
  name: 'breadth',
  run: (question: MarketQuestion<BreadthParams>, scratch): Breadth => measure(question, scratch),
});
