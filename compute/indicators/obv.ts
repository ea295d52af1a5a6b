import { defineIndicator } from '../model/indicator.js';

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
    // Comparisons taken as numbers: a branch on the direction would miss half of the time. Four candles at a time: the
    // loop itself costs as much as what is in it.
    for (; i + 3 < length; i += 4) {
      const a = close[i];
      const b = close[i + 1];
      const c = close[i + 2];
      const d = close[i + 3];
      const first = balance + volume[i] * (Number(a > before) - Number(a < before));
      const second = first + volume[i + 1] * (Number(b > a) - Number(b < a));
      const third = second + volume[i + 2] * (Number(c > b) - Number(c < b));
      balance = third + volume[i + 3] * (Number(d > c) - Number(d < c));
      before = d;
      obv[i] = first;
      obv[i + 1] = second;
      obv[i + 2] = third;
      obv[i + 3] = balance;
    }
    for (; i < length; i++) {
      balance += volume[i] * (Number(close[i] > before) - Number(close[i] < before));
      before = close[i];
      obv[i] = balance;
    }
  },
});
