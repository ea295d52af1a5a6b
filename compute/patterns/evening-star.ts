import { definePattern, penetration } from '../pattern.js';

/**
 * A long white candle, a small body that gaps up, and a black candle, not a short one, that closes well into
 * the first body.
 */
export const eveningStar = definePattern({
  name: 'eveningStar',
  talib: 'EVENINGSTAR',
  title: 'Evening Star',
  candles: 3,
  warmup: 12,
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.3) },
  match(bars, { penetration }) {
    const turns = bars.isWhite(2) && bars.isBlack(0) && bars.bodyGapsUp(1);
    const reaches = bars.close(0) < bars.close(2) - bars.body(2) * penetration;
    return turns && reaches && bars.isLong(2) && !bars.isLong(1) && bars.isLong(0) ? -100 : 0;
  },
});
