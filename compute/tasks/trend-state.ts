import { trendStates, type IntervalCandles, type TrendStates } from '../core-line/trend-states.js';
import { defineTask } from '../task.js';

export interface TrendStateInput {
  /** One asset on several intervals. */
  series: readonly IntervalCandles[];
}

/** The trend state of one asset on several intervals, and how far they agree. */
export const trendState = defineTask({
  name: 'trend-state',
  run: ({ series }: TrendStateInput, scratch): TrendStates => trendStates(series, scratch),
});
