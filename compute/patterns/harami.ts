import { definePattern } from '../model/pattern.js';

/**
 * A long body, and a body that is not long within it; 80 if the two share an end. The sign is against the
 * first candle.
 */
export const harami = definePattern({
  name: 'harami',
  talib: 'HARAMI',
  title: 'Harami',
  candles: 2,
  warmup: 11,
  values: [-100, -80, 80, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const above = bars.top(1) - bars.top(0);
    const below = bars.bottom(0) - bars.bottom(1);
    if (above < 0 || below < 0 || !bars.isLong(1) || bars.isLong(0)) return 0;
    return (above > 0 && below > 0 ? -100 : -80) * bars.colour(1);
  },
});
