import { defineIndicator } from '../model/indicator.js';

/** Change of the close over `period` candles, in percent. */
export const roc = defineIndicator({
  name: 'roc',
  title: 'Rate of Change',
  formula: '100 x (close / close of period candles before - 1)',
  reading: 'percent change over the period; above 0: the price is higher than at its start',
  kind: 'oscillator',
  reference: 'TA-Lib ROC',
  inputs: ['close'],
  outputs: ['roc'],
  params: { period: { min: 1, max: 500, default: 10, title: 'How many candles back' } },
  warmup: ({ period }) => period,
  fill({ close }, { period }, { roc }) {
    const { length } = close;
    let i = period;
    let k = 0;
    // Unrolled by four: the overhead of the loop is as high as the cost of its body. A base price of 0 gives 0.
    for (; i + 3 < length; i += 4, k += 4) {
      const a = close[k];
      const b = close[k + 1];
      const c = close[k + 2];
      const d = close[k + 3];
      roc[i] = a === 0 ? 0 : (close[i] / a - 1) * 100;
      roc[i + 1] = b === 0 ? 0 : (close[i + 1] / b - 1) * 100;
      roc[i + 2] = c === 0 ? 0 : (close[i + 2] / c - 1) * 100;
      roc[i + 3] = d === 0 ? 0 : (close[i + 3] / d - 1) * 100;
    }
    for (; i < length; i++, k++) roc[i] = close[k] === 0 ? 0 : (close[i] / close[k] - 1) * 100;
  },
});
