import { definePattern } from '../model/pattern.js';

/**
 * A long black candle, a black harami that makes a new low, and a short white one that opens above that low.
 */
export const uniqueThreeRiver = definePattern({
  name: 'uniqueThreeRiver',
  talib: 'UNIQUE3RIVER',
  title: 'Unique Three River',
  candles: 3,
  warmup: 12,
  colours: ['BBW'],
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const isHarami =
      bars.close(1) > bars.close(2) && bars.open(1) <= bars.open(2) && bars.low(1) < bars.low(2);
    return isHarami && bars.isLong(2) && bars.isShort(0) && bars.open(0) > bars.low(1) ? 100 : 0;
  },
});
