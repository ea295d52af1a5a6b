import { definePattern } from '../model/pattern.js';

/** A long black candle, and a black one, not long, within its body. */
export const homingPigeon = definePattern({
  name: 'homingPigeon',
  talib: 'HOMINGPIGEON',
  title: 'Homing Pigeon',
  candles: 2,
  warmup: 11,
  colours: ['BB'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.open(0) < bars.open(1) && bars.close(0) > bars.close(1) && bars.isLong(1) && !bars.isLong(0)
      ? 100
      : 0;
  },
});
