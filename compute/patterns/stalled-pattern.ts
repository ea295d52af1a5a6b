import { definePattern } from '../model/pattern.js';

/**
 * Two long white candles with higher closes, the second near its high, and a short white one that opens near
 * the close of the second.
 */
export const stalledPattern = definePattern({
  name: 'stalledPattern',
  talib: 'STALLEDPATTERN',
  title: 'Stalled Pattern',
  candles: 3,
  warmup: 12,
  colours: ['WWW'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const rises = bars.close(0) > bars.close(1) && bars.close(1) > bars.close(2);
    if (!rises || !bars.isLong(2) || !bars.isLong(1) || !bars.isShort(0)) return 0;
    const follows = bars.open(1) > bars.open(2) && bars.open(1) <= bars.close(2) + bars.near(2);
    const rides = bars.open(0) >= bars.close(1) - bars.body(0) - bars.near(1);
    return follows && bars.hasTinyUpperShadow(1) && rides ? -100 : 0;
  },
});
