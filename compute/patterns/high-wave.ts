import { definePattern } from '../model/pattern.js';

/** A short body between two very long shadows; the value has the sign of the colour. */
export const highWave = definePattern({
  name: 'highWave',
  talib: 'HIGHWAVE',
  title: 'High-Wave',
  candles: 1,
  warmup: 10,
  values: [-100, 100],
  neutral: true,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.hasVeryLongUpperShadow(0) && bars.hasVeryLongLowerShadow(0) && bars.isShort(0)
      ? 100 * bars.colour(0)
      : 0;
  },
});
