import { definePattern } from '../model/pattern.js';

/** A dragonfly doji with a very long lower shadow. */
export const takuri = definePattern({
  name: 'takuri',
  talib: 'TAKURI',
  title: 'Takuri',
  candles: 1,
  warmup: 10,
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    return bars.isDoji(0) && bars.hasTinyUpperShadow(0) && bars.hasVeryLongLowerShadow(0) ? 100 : 0;
  },
});
