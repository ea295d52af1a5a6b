import { definePattern } from '../model/pattern.js';

/** A doji with two long shadows whose body lies near the middle of the range. */
export const rickshawMan = definePattern({
  name: 'rickshawMan',
  talib: 'RICKSHAWMAN',
  title: 'Rickshaw Man',
  candles: 1,
  warmup: 10,
  values: [100],
  neutral: true,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    if (!bars.isDoji(0) || !bars.hasLongLowerShadow(0) || !bars.hasLongUpperShadow(0)) return 0;
    const middle = bars.low(0) + (bars.high(0) - bars.low(0)) / 2;
    return bars.bottom(0) <= middle + bars.near(0) && bars.top(0) >= middle - bars.near(0) ? 100 : 0;
  },
});
