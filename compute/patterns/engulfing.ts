import { definePattern } from '../model/pattern.js';

/** A body that engulfs the previous one, of the other colour; 80 if they share one end. */
export const engulfing = definePattern({
  name: 'engulfing',
  talib: 'ENGULFING',
  title: 'Engulfing',
  candles: 2,
  warmup: 2,
  colours: ['BW', 'WB'],
  values: [-100, -80, 80, 100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const way = bars.colour(0);
    const above = way * (bars.close(0) - bars.open(1));
    const below = way * (bars.close(1) - bars.open(0));
    if (above < 0 || below < 0 || (above === 0 && below === 0)) return 0;
    return (above > 0 && below > 0 ? 100 : 80) * way;
  },
});
