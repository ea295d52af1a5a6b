import type { Bars } from './rules/bars.js';
import { definePattern } from '../model/pattern.js';

/**
 * Three white candles with higher closes, each opening in or near the body before, of which the later ones
 * weaken: smaller bodies or longer upper shadows.
 */
export const advanceBlock = definePattern({
  name: 'advanceBlock',
  talib: 'ADVANCEBLOCK',
  title: 'Advance Block',
  candles: 3,
  warmup: 12,
  colours: ['WWW'],
  values: [-100],
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  match(bars) {
    const advances = (age: number) =>
      bars.close(age) > bars.close(age + 1) &&
      bars.open(age) > bars.open(age + 1) &&
      bars.open(age) <= bars.close(age + 1) + bars.near(age + 1);
    if (!advances(1) || !advances(0)) return 0;
    return bars.isLong(2) && bars.hasShortUpperShadow(2) && weakens(bars) ? -100 : 0;
  },
});

function weakens(bars: Bars): boolean {
  const [first, second, third] = [bars.body(2), bars.body(1), bars.body(0)];
  if (third < second - bars.far(1)) return true;
  if (second < first - bars.far(2) && third < second + bars.near(1)) return true;
  if (third >= second) return false;
  const meetsSellers = bars.upperShadow(0) > bars.shortShadow(0) || bars.upperShadow(1) > bars.shortShadow(1);
  return bars.hasLongUpperShadow(0) || (second < first && meetsSellers);
}
