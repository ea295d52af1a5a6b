import type { Bars } from './rules/bars.js';
import { definePattern } from '../model/pattern.js';

/**
 * A long candle, a body that gaps in the same direction, two more candles that way, and a last one of the other colour
 * that closes within the gap.
 */
export const breakaway = definePattern({
  name: 'breakaway',
  talib: 'BREAKAWAY',
  title: 'Breakaway',
  candles: 5,
  warmup: 14,
  colours: ['BB.BW', 'WW.WB'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    if (!bars.isLong(4)) return 0;
    if (bars.isWhite(0)) {
      const falls = bars.bodyGapsDown(3) && isLower(bars, 2) && isLower(bars, 1);
      return falls && bars.close(0) > bars.open(3) && bars.close(0) < bars.close(4) ? 100 : 0;
    }
    const rises = bars.bodyGapsUp(3) && isHigher(bars, 2) && isHigher(bars, 1);
    return rises && bars.close(0) < bars.open(3) && bars.close(0) > bars.close(4) ? -100 : 0;
  },
});

const isLower = (bars: Bars, age: number): boolean =>
  bars.high(age) < bars.high(age + 1) && bars.low(age) < bars.low(age + 1);

const isHigher = (bars: Bars, age: number): boolean =>
  bars.high(age) > bars.high(age + 1) && bars.low(age) > bars.low(age + 1);
