import { definePattern } from '../model/pattern.js';

/** Two black candles with the same close. */
export const matchingLow = definePattern({
  name: 'matchingLow',
  talib: 'MATCHINGLOW',
  title: 'Matching Low',
  candles: 2,
  warmup: 6,
  colours: ['BB'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isAt(bars.close(0), bars.close(1), bars.equal(1)) ? 100 : 0;
  },
});
