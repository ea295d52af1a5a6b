import type { Bars } from './rules/bars.js';
import { confirmedSignal } from './rules/confirmed-signal.js';
import { definePattern } from '../model/pattern.js';

/**
 * An inside bar and a false break: a lower high with a lower low is a trap for sellers, a higher high with a
 * higher low one for buyers; doubled where a close beyond the inside bar confirms it.
 */
export const hikkake = definePattern({
  name: 'hikkake',
  talib: 'HIKKAKE',
  title: 'Hikkake',
  candles: 3,
  warmup: 5,
  confirmation: 3,
  values: [-200, -100, 100, 200],
  reference: 'Chesler, Trading False Moves with the Hikkake Pattern, 2004',
  match: (bars) => confirmedSignal(bars, trap),
});

function trap(bars: Bars): number {
  if (bars.high(1) >= bars.high(2) || bars.low(1) <= bars.low(2)) return 0;
  if (bars.high(0) < bars.high(1) && bars.low(0) < bars.low(1)) return 100;
  return bars.high(0) > bars.high(1) && bars.low(0) > bars.low(1) ? -100 : 0;
}
