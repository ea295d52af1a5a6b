import { definePattern } from '../model/pattern.js';

/**
 * A long black candle, and a white one that opens below its low and closes within its body, not above the
 * middle.
 */
export const thrusting = definePattern({
  name: 'thrusting',
  talib: 'THRUSTING',
  title: 'Thrusting',
  candles: 2,
  warmup: 11,
  colours: ['BW'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (bars.open(0) >= bars.low(1) || !bars.isLong(1)) return 0;
    const thrusts =
      bars.close(0) > bars.close(1) + bars.equal(1) && bars.close(0) <= bars.close(1) + bars.body(1) * 0.5;
    return thrusts ? -100 : 0;
  },
});
