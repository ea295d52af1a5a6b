import { definePattern } from '../model/pattern.js';

/**
 * A long black candle, and a white one that opens below its low and closes at or just above its close.
 */
export const inNeck = definePattern({
  name: 'inNeck',
  talib: 'INNECK',
  title: 'In-Neck',
  candles: 2,
  warmup: 11,
  colours: ['BW'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    return bars.open(0) < bars.low(1) &&
      bars.isLong(1) &&
      bars.close(0) >= bars.close(1) &&
      bars.close(0) <= bars.close(1) + bars.equal(1)
      ? -100
      : 0;
  },
});
