import { definePattern, penetration } from '../model/pattern.js';

/**
 * A long black candle, a doji whose body gaps down, and a white candle, not a short one, that closes well
 * into the first body.
 */
export const morningDojiStar = definePattern({
  name: 'morningDojiStar',
  talib: 'MORNINGDOJISTAR',
  title: 'Morning Doji Star',
  candles: 3,
  warmup: 12,
  colours: ['B.W'],
  values: [100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.3) },
  match(bars, { penetration }) {
    if (!bars.bodyGapsDown(1)) return 0;
    const reaches = bars.close(0) > bars.close(2) + bars.body(2) * penetration;
    return reaches && bars.isLong(2) && bars.isDoji(1) && bars.isLong(0) ? 100 : 0;
  },
});
