import { definePattern } from '../pattern.js';

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
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const turns = bars.isBlack(1) && bars.isWhite(0) && bars.isLong(1) && bars.open(0) < bars.low(1);
    const thrusts =
      bars.close(0) > bars.close(1) + bars.equal(1) && bars.close(0) <= bars.close(1) + bars.body(1) * 0.5;
    return turns && thrusts ? -100 : 0;
  },
});
