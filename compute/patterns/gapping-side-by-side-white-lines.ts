import { definePattern } from '../model/pattern.js';

/**
 * Two white candles of like size with the same open, side by side beyond a gap from the candle before them;
 * the value has the sign of the gap.
 */
export const gappingSideBySideWhiteLines = definePattern({
  name: 'gappingSideBySideWhiteLines',
  talib: 'GAPSIDESIDEWHITE',
  title: 'Gapping Side-by-side White Lines',
  candles: 3,
  warmup: 7,
  colours: ['.WW'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const isUp = bars.bodyGapsUp(1) && bars.bodyGapsUp(0, 2);
    const isDown = bars.bodyGapsDown(1) && bars.bodyGapsDown(0, 2);
    if (!isUp && !isDown) return 0;
    const isTwin =
      bars.isAt(bars.body(0), bars.body(1), bars.near(1)) &&
      bars.isAt(bars.open(0), bars.open(1), bars.equal(1));
    if (!isTwin) return 0;
    return isUp ? 100 : -100;
  },
});
