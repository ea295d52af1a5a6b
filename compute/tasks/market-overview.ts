import { marketOverview as view, type MarketOverview } from '../market/overview.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** A market after its newest candle. Throws `not_enough_history`. */
export const marketOverview = defineTask({
  name: 'market-overview',
  run: (question: MarketQuestion, scratch): MarketOverview => view(question, scratch),
});
