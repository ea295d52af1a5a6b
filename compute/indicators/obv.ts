import { defineIndicator } from '../indicator.js';

/** Volume added up where the close rises and taken off where it falls, from the first candle's volume on. */
export const obv = defineIndicator({
  name: 'obv',
  title: 'On-Balance Volume',
  kind: 'volume',
  reference: "Granville's New Key to Stock Market Profits, 1963; start as TA-Lib OBV",
  inputs: ['close', 'volume'],
  outputs: ['obv'],
  params: {},
  warmup: () => 0,
  fill({ close, volume }, _params, { obv }) {
    const { length } = close;
    if (length === 0) return;
    let before = close[0];
    let balance = volume[0];
    obv[0] = balance;
    for (let i = 1; i < length; i++) {
      const price = close[i];
      // Comparisons taken as numbers: a branch on the direction would miss half of the time.
      balance += volume[i] * (Number(price > before) - Number(price < before));
      before = price;
      obv[i] = balance;
    }
  },
});
