import { definePattern } from '../model/pattern.js';

/** A long candle, and a doji whose body gaps in the same direction. */
export const dojiStar = definePattern({
  name: 'dojiStar',
  talib: 'DOJISTAR',
  title: 'Doji Star',
  candles: 2,
  warmup: 11,
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (!bars.isLong(1) || !bars.isDoji(0)) return 0;
    if (bars.isWhite(1)) return bars.bodyGapsUp(0) ? -100 : 0;
    return bars.bodyGapsDown(0) ? 100 : 0;
  },
});
