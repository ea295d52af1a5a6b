import type { Bars } from './rules/bars.js';
import { definePattern } from '../model/pattern.js';

/**
 * Three candles of one colour that step the same way, each opening in or near the body before, and a fourth
 * that reverses all of it; the value has the sign of the three.
 */
export const threeLineStrike = definePattern({
  name: 'threeLineStrike',
  talib: '3LINESTRIKE',
  title: 'Three-Line Strike',
  candles: 4,
  warmup: 8,
  colours: ['BBBW', 'WWWB'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const way = bars.colour(1);
    if (!opensInOrNear(bars, 2) || !opensInOrNear(bars, 1)) return 0;
    const steps = way * bars.close(1) > way * bars.close(2) && way * bars.close(2) > way * bars.close(3);
    const strikes = way * bars.open(0) > way * bars.close(1) && way * bars.close(0) < way * bars.open(3);
    return steps && strikes ? 100 * way : 0;
  },
});

const opensInOrNear = (bars: Bars, age: number): boolean =>
  bars.open(age) >= bars.bottom(age + 1) - bars.near(age + 1) &&
  bars.open(age) <= bars.top(age + 1) + bars.near(age + 1);
