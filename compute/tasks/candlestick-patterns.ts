import {
  reportCandlesticks,
  type CandlestickParams,
  type CandlestickReport,
} from '../market/candlestick-history.js';
import { defineTask, type SeriesQuestion } from '../task.js';

/** Candlestick patterns on the last candles, and what followed them so far. Throws `not_enough_history`. */
export const candlestickPatterns = defineTask({
  name: 'candlestick-patterns',
  run: (question: SeriesQuestion<CandlestickParams>, scratch): CandlestickReport =>
    reportCandlesticks(question, scratch),
});
