import type { Bars } from './rules/bars.js';
import { confirmedSignal } from './rules/confirmed-signal.js';
import { definePattern } from '../model/pattern.js';

/**
 * A hikkake of two nested inside bars of which the first closes near the end that breaks: near its low before
 * a break down, near its high before a break up.
 */
export const modifiedHikkake = definePattern({
  name: 'modifiedHikkake',
  talib: 'HIKKAKEMOD',
  title: 'Modified Hikkake',
  candles: 4,
  warmup: 10,
  confirmation: 3,
  values: [-200, -100, 100, 200],
  reference: 'Chesler, Trading False Moves with the Hikkake Pattern, 2004',
  match: (bars) => confirmedSignal(bars, trap),
});

function trap(bars: Bars): number {
  const isNested = (age: number) => bars.high(age) < bars.high(age + 1) && bars.low(age) > bars.low(age + 1);
  if (!isNested(2) || !isNested(1)) return 0;
  if (bars.high(0) < bars.high(1) && bars.low(0) < bars.low(1))
    return bars.close(2) <= bars.low(2) + bars.near(2) ? 100 : 0;
  const isUp = bars.high(0) > bars.high(1) && bars.low(0) > bars.low(1);
  return isUp && bars.close(2) >= bars.high(2) - bars.near(2) ? -100 : 0;
}
