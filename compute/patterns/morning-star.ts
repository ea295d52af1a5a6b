import { definePattern, penetration } from '../model/pattern.js';

/**
 * A long black candle, a small body that gaps down, and a white candle, not a short one, that closes well
 * into the first body.
 */
export const morningStar = definePattern({
  name: 'morningStar',
  talib: 'MORNINGSTAR',
  title: 'Morning Star',
  candles: 3,
  warmup: 12,
  colours: ['B.W'],
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.3) },
  match(bars, { penetration }) {
    if (!bars.bodyGapsDown(1)) return 0;
    const reaches = bars.close(0) > bars.close(2) + bars.body(2) * penetration;
    return reaches && bars.isLong(2) && !bars.isLong(1) && bars.isLong(0) ? 100 : 0;
  },
});
