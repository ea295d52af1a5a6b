import { definePattern } from '../model/pattern.js';

/**
 * A body beyond a gap, and one of like size and other colour that opens inside it and closes within the gap;
 * the value has the sign of the gap.
 */
export const tasukiGap = definePattern({
  name: 'tasukiGap',
  talib: 'TASUKIGAP',
  title: 'Tasuki Gap',
  candles: 3,
  warmup: 7,
  colours: ['.BW', '.WB'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const way = bars.colour(1);
    if (!(way > 0 ? bars.bodyGapsUp(1) : bars.bodyGapsDown(1))) return 0;
    const opensInside = way * bars.open(0) < way * bars.close(1) && way * bars.open(0) > way * bars.open(1);
    const edge = way > 0 ? bars.top(2) : bars.bottom(2);
    const closesInGap = way * bars.close(0) < way * bars.open(1) && way * bars.close(0) > way * edge;
    return opensInside && closesInGap && Math.abs(bars.body(1) - bars.body(0)) < bars.near(1) ? 100 * way : 0;
  },
});
