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
    let i = period;
    // Four at a time: the loop itself costs as much as what is in it.
    for (; i + 3 < length; i += 4) {
      const a = close[i] / close[i - period];
      const b = close[i + 1] / close[i + 1 - period];
      const c = close[i + 2] / close[i + 2 - period];
      const d = close[i + 3] / close[i + 3 - period];
      roc[i] = (a - 1) * 100;
      roc[i + 1] = (b - 1) * 100;
      roc[i + 2] = (c - 1) * 100;
      roc[i + 3] = (d - 1) * 100;
    }
    for (; i < length; i++) roc[i] = (close[i] / close[i - period] - 1) * 100;
    // Against a price of 0 there is no rate.
    const zero = close.indexOf(0);
    for (i = zero + period; zero >= 0 && i < length; i++) if (close[i - period] === 0) roc[i] = 0;
  },
});
