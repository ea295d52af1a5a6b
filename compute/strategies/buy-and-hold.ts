import { defineStrategy, target } from '../model/strategy.js';

/** Always long: the benchmark of every other strategy. */
export const buyAndHold = defineStrategy({
  name: 'buy_and_hold',
  title: 'Buy and hold',
  rule: 'Buy after the first candle and hold to the end.',
  params: {},
  ready: () => 0,
  fill(_candles, _params, targets) {
    targets.fill(target.long);
  },
});
