import { defineIndicator } from '../model/indicator.js';

/** A running sum of volume: added on a rising close, subtracted on a falling one. Starts with the first volume. */
export const obv = defineIndicator({
  name: 'obv',
  title: 'On-Balance Volume',
  formula: 'running sum of volume, added when the close rises and subtracted when it falls',
  reading: 'only its direction counts: rising with price confirms, falling against it warns',
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
    // Comparisons are used as numbers, because a branch on the direction is mispredicted half of the time. Unrolled by
    // four: the overhead of the loop is as high as the cost of its body.
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
