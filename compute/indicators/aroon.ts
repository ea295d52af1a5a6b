import { defineIndicator } from '../model/indicator.js';

/** Age of the highest high (up) and the lowest low (down): 100 on the last candle, 0 `period` candles ago. */
export const aroon = defineIndicator({
  name: 'aroon',
  title: 'Aroon',
  formula: '100 x (period - candles since the highest high or lowest low) / period',
  reading:
    'up near 100 and down near 0: a fresh uptrend; down near 100 and up near 0: a fresh downtrend; both low: no trend',
  kind: 'trend',
  reference: 'Chande, A Time Price Oscillator, TASC 1995; of equal extremes the last counts, as TA-Lib AROON',
  inputs: ['high', 'low'],
  outputs: ['up', 'down'],
  params: { period: { min: 2, max: 500, default: 25, title: 'How many candles back' } },
  warmup: ({ period }) => period,
  fill({ high, low }, { period }, { up, down }) {
    const { length } = high;
    const scale = 100 / period;
    let topAt = -1;
    let bottomAt = -1;
    let top = 0;
    let bottom = 0;
    for (let i = period; i < length; i++) {
      const start = i - period;
      const peak = high[i];
      const trough = low[i];
      if (topAt < start) {
        topAt = start;
        top = high[start];
        for (let k = start + 1; k <= i; k++) {
          if (high[k] < top) continue;
          top = high[k];
          topAt = k;
        }
      } else if (peak >= top) {
        top = peak;
        topAt = i;
      }
      if (bottomAt < start) {
        bottomAt = start;
        bottom = low[start];
        for (let k = start + 1; k <= i; k++) {
          if (low[k] > bottom) continue;
          bottom = low[k];
          bottomAt = k;
        }
      } else if (trough <= bottom) {
        bottom = trough;
        bottomAt = i;
      }
      up[i] = scale * (topAt - start);
      down[i] = scale * (bottomAt - start);
    }
  },
});
