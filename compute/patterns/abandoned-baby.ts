import { definePattern, penetration } from '../model/pattern.js';

/**
 * A long candle, a doji with a gap on either side, shadows included, and a candle of the other
 * colour that closes well into the first body.
 */
export const abandonedBaby = definePattern({
  name: 'abandonedBaby',
  talib: 'ABANDONEDBABY',
  title: 'Abandoned Baby',
  candles: 3,
  warmup: 12,
  colours: ['B.W', 'W.B'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  params: { penetration: penetration(0.3) },
  match(bars, { penetration }) {
    if (!bars.isLong(2) || !bars.isDoji(1) || !bars.isLong(0)) return 0;
    const depth = bars.body(2) * penetration;
    if (bars.isWhite(0))
      return bars.gapsDown(1) && bars.gapsUp(0) && bars.close(0) > bars.close(2) + depth ? 100 : 0;
    return bars.gapsUp(1) && bars.gapsDown(0) && bars.close(0) < bars.close(2) - depth ? -100 : 0;
  },
});
