import { defineIndicator } from '../model/indicator.js';

/** The exponential average of closes, with bands `width` Average True Ranges above and below. */
export const keltner = defineIndicator({
  name: 'keltner',
  title: 'Keltner Channel',
  formula: 'middle: EMA of closes; upper and lower: middle plus and minus width x ATR',
  reading: 'closes outside show strong moves; Bollinger bands within them are a squeeze',
  kind: 'volatility',
  reference: "Keltner, How to Make Money in Commodities, 1960, in Raschke's form: EMA and ATR (TA-Lib seeds)",
  inputs: ['high', 'low', 'close'],
  outputs: ['upper', 'middle', 'lower'],
  params: {
    period: { min: 2, max: 500, default: 20, title: 'Period of the average of closes' },
    reach: { min: 1, max: 500, default: 10, title: 'Period of the Average True Range' },
    width: { min: 0.1, max: 10, default: 2, step: 0.1, title: 'Average True Ranges from middle to band' },
  },
  warmup: ({ period, reach }) => Math.max(period - 1, reach),
  fill({ high, low, close }, { period, reach, width }, { upper, middle, lower }) {
    const { length } = close;
    const warmup = Math.max(period - 1, reach);
    if (length <= warmup) return;
    const weight = 2 / (period + 1);
    const share = 1 / reach;
    let before = close[0];
    let sum = before;
    let average = before;
    let range = 0;
    for (let i = 1; i < length; i++) {
      const price = close[i];
      const span = Math.max(high[i], before) - Math.min(low[i], before);
      before = price;
      range += (i <= reach ? span : span - range) * share;
      if (i < period) {
        sum += price;
        average = sum / period;
      } else average += (price - average) * weight;
      if (i < warmup) continue;
      upper[i] = average + width * range;
      middle[i] = average;
      lower[i] = average - width * range;
    }
  },
});
