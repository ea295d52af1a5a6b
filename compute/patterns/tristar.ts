import { definePattern } from '../model/pattern.js';

/**
 * Three doji, the middle one beyond a gap from the first and beyond the third; all three are measured by the
 * candles before the first.
 */
export const tristar = definePattern({
  name: 'tristar',
  talib: 'TRISTAR',
  title: 'Tristar',
  candles: 3,
  warmup: 12,
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (!bars.isDoji(2) || !bars.isDoji(1, 2) || !bars.isDoji(0, 2)) return 0;
    if (bars.bodyGapsUp(1)) return bars.top(0) < bars.top(1) ? -100 : 0;
    return bars.bodyGapsDown(1) && bars.bottom(0) > bars.bottom(1) ? 100 : 0;
  },
});
