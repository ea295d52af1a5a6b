import { definePattern } from '../pattern.js';

/** Two black candles with the same close. */
export const matchingLow = definePattern({
  name: 'matchingLow',
  talib: 'MATCHINGLOW',
  title: 'Matching Low',
  candles: 2,
  warmup: 6,
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isBlack(1) && bars.isBlack(0) && bars.isAt(bars.close(0), bars.close(1), bars.equal(1))
      ? 100
      : 0;
  },
});
