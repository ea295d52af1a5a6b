import { definePattern } from '../model/pattern.js';

/**
 * A long black candle, and a long white one that opens below its low and closes within its body, above the
 * middle.
 */
export const piercing = definePattern({
  name: 'piercing',
  talib: 'PIERCING',
  title: 'Piercing',
  candles: 2,
  warmup: 11,
  colours: ['BW'],
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (bars.open(0) >= bars.low(1)) return 0;
    const pierces = bars.close(0) < bars.open(1) && bars.close(0) > bars.close(1) + bars.body(1) * 0.5;
    return pierces && bars.isLong(1) && bars.isLong(0) ? 100 : 0;
  },
});
