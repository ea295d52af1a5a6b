import { definePattern } from '../model/pattern.js';

/**
 * A confirmed harami: a long body, a small one inside it, and a candle of the other colour that closes
 * beyond the open of the first.
 */
export const threeInside = definePattern({
  name: 'threeInside',
  talib: '3INSIDE',
  title: 'Three Inside',
  candles: 3,
  warmup: 12,
  colours: ['B.W', 'W.B'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const isInside = bars.top(1) < bars.top(2) && bars.bottom(1) > bars.bottom(2);
    if (!isInside || !bars.isLong(2) || bars.isLong(1)) return 0;
    if (bars.isWhite(0)) return bars.close(0) > bars.open(2) ? 100 : 0;
    return bars.close(0) < bars.open(2) ? -100 : 0;
  },
});
