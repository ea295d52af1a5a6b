import { definePattern } from '../model/pattern.js';

/**
 * Two bodies of one colour with a gap between them, and one of the other colour that opens inside the second
 * and closes inside the first; the value has the sign of the gap.
 */
export const upsideDownsideGapThreeMethods = definePattern({
  name: 'upsideDownsideGapThreeMethods',
  talib: 'XSIDEGAP3METHODS',
  title: 'Upside/Downside Gap Three Methods',
  candles: 3,
  warmup: 2,
  colours: ['BBW', 'WWB'],
  values: [-100, 100],
  reference: 'Morris, Candlepower, 1992',
  match(bars) {
    const way = bars.colour(2);
    const opensInside = bars.open(0) < bars.top(1) && bars.open(0) > bars.bottom(1);
    const closesInside = bars.close(0) < bars.top(2) && bars.close(0) > bars.bottom(2);
    const gaps = way > 0 ? bars.bodyGapsUp(1) : bars.bodyGapsDown(1);
    return opensInside && closesInside && gaps ? 100 * way : 0;
  },
});
