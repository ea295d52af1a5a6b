import { definePattern } from '../model/pattern.js';

/**
 * A white candle that trades above the close of the black one before, between two black candles with the same
 * close.
 */
export const stickSandwich = definePattern({
  name: 'stickSandwich',
  talib: 'STICKSANDWICH',
  title: 'Stick Sandwich',
  candles: 3,
  warmup: 7,
  colours: ['BWB'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.low(1) > bars.close(2) && bars.isAt(bars.close(0), bars.close(2), bars.equal(2)) ? 100 : 0;
  },
});
