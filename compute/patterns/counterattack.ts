import { definePattern } from '../model/pattern.js';

/** A long candle, and a long one of the other colour with the same close. */
export const counterattack = definePattern({
  name: 'counterattack',
  talib: 'COUNTERATTACK',
  title: 'Counterattack',
  candles: 2,
  warmup: 11,
  colours: ['BW', 'WB'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.isLong(1) && bars.isLong(0) && bars.isAt(bars.close(0), bars.close(1), bars.equal(1))
      ? 100 * bars.colour(0)
      : 0;
  },
});
