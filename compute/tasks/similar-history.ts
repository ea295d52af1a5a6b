import { findSimilarHistory, type SimilarHistory } from '../market/similar-history.js';
import { defineTask, type SeriesQuestion } from '../task.js';

export interface SimilarHistoryParams {
  /** How many candles make the shape. */
  window: number;
  /** How many matches are wanted at most. */
  matches: number;
}

/** Earlier windows of the shape of the last candles, and what followed them. Throws `not_enough_history`. */
export const similarHistory = defineTask({
  name: 'similar-history',
  run: ({ candles, interval, params }: SeriesQuestion<SimilarHistoryParams>): SimilarHistory =>
    findSimilarHistory(candles, interval, params),
});
