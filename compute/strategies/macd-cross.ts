import { priceRounding } from '../model/price-rounding.js';
import { computeIndicator } from '../model/indicator.js';
import { macd } from '../indicators/macd.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Long while the MACD is above its signal line. */
export const macdCross = defineStrategy({
  name: 'macd_cross',
  title: 'MACD cross',
  rule: 'Long while the MACD is above its signal line, flat otherwise.',
  params: {
    fast: { min: 2, max: 200, default: 12, title: 'Period of the fast average in candles' },
    slow: { min: 3, max: 500, default: 26, title: 'Period of the slow average in candles' },
    signal: { min: 2, max: 200, default: 9, title: 'Period of the signal line in candles' },
  },
  allows: ({ fast, slow }) => fast < slow,
  allowed: 'fast must be below slow',
  ready: (params) => macd.warmup(params, 'signal'),
  fill(candles, params, targets, scratch) {
    const lines = computeIndicator(macd, candles, params, scratch);
    const { close } = candles;
    // During the warm-up one value is NaN, so the comparison is false and the target is flat. While the price
    // does not move, the lines differ only by rounding.
    for (let i = 0; i < targets.length; i++)
      targets[i] = lines.macd[i] - lines.signal[i] > priceRounding(close[i]) ? target.long : target.flat;
  },
});
