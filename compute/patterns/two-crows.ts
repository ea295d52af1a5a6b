import { definePattern } from '../model/pattern.js';

/**
 * A long white candle, a black one whose body gaps up, and a second black one that opens inside the first
 * crow and closes inside the white body.
 */
export const twoCrows = definePattern({
  name: 'twoCrows',
  talib: '2CROWS',
  title: 'Two Crows',
  candles: 3,
  warmup: 12,
  colours: ['WBB'],
  values: [-100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isLong(2) &&
      bars.bodyGapsUp(1) &&
      bars.open(0) < bars.open(1) &&
      bars.open(0) > bars.close(1) &&
      bars.close(0) > bars.open(2) &&
      bars.close(0) < bars.close(2)
      ? -100
      : 0;
  },
});
