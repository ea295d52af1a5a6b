import { definePattern } from '../model/pattern.js';

/** A confirmed engulfing: a body engulfed by one of the other colour, and a further close in its direction. */
export const threeOutside = definePattern({
  name: 'threeOutside',
  talib: '3OUTSIDE',
  title: 'Three Outside',
  candles: 3,
  warmup: 3,
  colours: ['BW.', 'WB.'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const way = bars.colour(1);
    const swallows = way * bars.close(1) > way * bars.open(2) && way * bars.open(1) < way * bars.close(2);
    return swallows && way * bars.close(0) > way * bars.close(1) ? 100 * way : 0;
  },
});
