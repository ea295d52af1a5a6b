import { definePattern, penetration } from '../model/pattern.js';

/**
 * A long white candle, a small body that gaps up, and a black candle that is not short and closes well into
 * the first body.
 */
export const eveningStar = definePattern({
  name: 'eveningStar',
  talib: 'EVENINGSTAR',
  title: 'Evening Star',
  candles: 3,
  warmup: 12,
  colours: ['W.B'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.3) },
  match(bars, { penetration }) {
    if (!bars.bodyGapsUp(1)) return 0;
    const reaches = bars.close(0) < bars.close(2) - bars.body(2) * penetration;
    return reaches && bars.isLong(2) && !bars.isLong(1) && bars.isLong(0) ? -100 : 0;
  },
});
