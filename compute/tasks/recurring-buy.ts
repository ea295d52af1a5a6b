import { simulateRecurringBuy, type RecurringBuy, type RecurringBuyParams } from '../market/recurring-buy.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** A fixed amount bought again and again, against one buy at the start. Throws `not_enough_history`. */
export const recurringBuy = defineTask({
  name: 'recurring-buy',
  run: ({ candles, interval, params }: SeriesQuestion<RecurringBuyParams>, scratch): RecurringBuy =>
    simulateRecurringBuy(candles, interval, params, scratch),
});
