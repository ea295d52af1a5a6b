import { definePattern } from '../model/pattern.js';

/** Two candles of different colour with the same open, the second long and open at its extreme. */
export const separatingLines = definePattern({
  name: 'separatingLines',
  talib: 'SEPARATINGLINES',
  title: 'Separating Lines',
  candles: 2,
  warmup: 11,
  colours: ['BW', 'WB'],
  values: [-100, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const separates = bars.isAt(bars.open(0), bars.open(1), bars.equal(1));
    if (!separates || !bars.isLong(0)) return 0;
    return (bars.isWhite(0) ? bars.hasTinyLowerShadow(0) : bars.hasTinyUpperShadow(0))
      ? 100 * bars.colour(0)
      : 0;
  },
});
