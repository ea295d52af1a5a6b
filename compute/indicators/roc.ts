import { defineIndicator } from '../indicator.js';

/** How far the close has come since a number of candles ago, in percent. */
export const roc = defineIndicator({
  name: 'roc',
  title: 'Rate of Change',
  kind: 'oscillator',
  reference: 'TA-Lib ROC',
  inputs: ['close'],
  outputs: ['roc'],
  params: { period: { min: 1, max: 500, default: 10, title: 'How many candles back' } },
  warmup: ({ period }) => period,
  fill({ close }, { period }, { roc }) {
    const { length } = close;
    for (let i = period; i < length; i++) {
      const before = close[i - period];
      roc[i] = before !== 0 ? (close[i] / before - 1) * 100 : 0;
    }
  },
});
