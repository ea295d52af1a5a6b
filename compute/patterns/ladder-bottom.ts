import { definePattern } from '../model/pattern.js';

/**
 * Three black candles with lower opens and closes, a black one with an upper shadow, and a white one that
 * opens above that body and closes above that high.
 */
export const ladderBottom = definePattern({
  name: 'ladderBottom',
  talib: 'LADDERBOTTOM',
  title: 'Ladder Bottom',
  candles: 5,
  warmup: 14,
  colours: ['BBBBW'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const stepsDown = (age: number) =>
      bars.open(age) < bars.open(age + 1) && bars.close(age) < bars.close(age + 1);
    const falls = stepsDown(3) && stepsDown(2);
    const turns = bars.open(0) > bars.open(1) && bars.close(0) > bars.high(1);
    return falls && turns && bars.upperShadow(1) > bars.tinyShadow(1) ? 100 : 0;
  },
});
