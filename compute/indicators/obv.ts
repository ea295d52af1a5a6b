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
    let i = 1;
    // Comparisons taken as numbers: a branch on the direction would miss half of the time. Two candles at a time: the
    // loop itself costs as much as what is in it.
    for (; i + 1 < length; i += 2) {
      const price = close[i];
      const next = close[i + 1];
      const first = volume[i] * (Number(price > before) - Number(price < before));
      const second = volume[i + 1] * (Number(next > price) - Number(next < price));
      before = next;
      obv[i] = balance + first;
      balance = balance + first + second;
      obv[i + 1] = balance;
    }
    if (i < length) obv[i] = balance + volume[i] * (Number(close[i] > before) - Number(close[i] < before));
  },
});
