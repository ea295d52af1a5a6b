import { definePattern } from '../pattern.js';

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
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const turns = bars.isBlack(1) && bars.isWhite(0) && bars.open(0) < bars.low(1);
    const pierces = bars.close(0) < bars.open(1) && bars.close(0) > bars.close(1) + bars.body(1) * 0.5;
    return turns && pierces && bars.isLong(1) && bars.isLong(0) ? 100 : 0;
  },
});
