import { definePattern } from '../model/pattern.js';

/** A long body, and a doji within it; 80 if the two share an end. The sign is against the first candle. */
export const haramiCross = definePattern({
  name: 'haramiCross',
  talib: 'HARAMICROSS',
  title: 'Harami Cross',
  candles: 2,
  warmup: 11,
  values: [-100, -80, 80, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const above = bars.top(1) - bars.top(0);
    const below = bars.bottom(0) - bars.bottom(1);
    if (above < 0 || below < 0 || !bars.isLong(1) || !bars.isDoji(0)) return 0;
    return (above > 0 && below > 0 ? -100 : -80) * bars.colour(1);
  },
});
