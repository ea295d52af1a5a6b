import { defineIndicator } from '../indicator.js';

/** A mean whose weights rise evenly from 1 for the oldest close to the period for the newest. */
export const wma = defineIndicator({
  name: 'wma',
  title: 'Weighted Moving Average',
  kind: 'trend',
  reference: 'TA-Lib WMA',
  inputs: ['close'],
  outputs: ['wma'],
  params: { period: { min: 2, max: 500, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { wma }) {
    const { length } = close;
    const share = 2 / (period * (period + 1));
    // A window is the end of one block of closes and the beginning of the next; nothing is ever taken out of a sum.
    for (let first = period - 1; first < length; first += period) {
      const start = first - period + 1;
      const stop = Math.min(first + period, length);
      let sum = 0;
      let weighted = 0;
      for (let i = first; i >= start + stop - first; i--) {
        sum += close[i];
        weighted += sum;
      }
      for (let i = stop - 1; i >= first; i--) {
        sum += close[i - period + 1];
        weighted += sum;
        wma[i] = weighted;
      }
      // The newest close has the weight `period`, each before it one less: `older` is what those lack of it.
      let head = 0;
      let older = 0;
      wma[first] *= share;
      for (let i = first + 1; i < stop; i++) {
        older += head;
        head += close[i];
        wma[i] = (wma[i] + (head * period - older)) * share;
      }
    }
  },
});
