import { screenAssets, type Screen, type ScreenParams } from '../market/screener.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** The assets of a market that satisfy conditions. Throws `invalid_input`, `not_enough_history`. */
export const screen = defineTask({
  name: 'screen',
  run: (question: MarketQuestion<ScreenParams>, scratch): Screen => screenAssets(question, scratch),
});
