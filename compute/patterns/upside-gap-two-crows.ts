import { definePattern } from '../model/pattern.js';

/**
 * A long white candle, a small black body that gaps up, and a black one that engulfs it but leaves the gap
 * open.
 */
export const upsideGapTwoCrows = definePattern({
  name: 'upsideGapTwoCrows',
  talib: 'UPSIDEGAP2CROWS',
  title: 'Upside Gap Two Crows',
  candles: 3,
  warmup: 12,
  colours: ['WBB'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (!bars.bodyGapsUp(1) || !bars.isLong(2) || bars.isLong(1)) return 0;
    const engulfs = bars.open(0) > bars.open(1) && bars.close(0) < bars.close(1);
    return engulfs && bars.close(0) > bars.close(2) ? -100 : 0;
  },
});
