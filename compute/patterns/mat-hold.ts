import { definePattern, penetration } from '../model/pattern.js';

/**
 * A long white candle, a black body that gaps up, two more that fall a little into the white body, all
 * three short, and a white candle that opens above the last close and closes above all three highs.
 */
export const matHold = definePattern({
  name: 'matHold',
  talib: 'MATHOLD',
  title: 'Mat Hold',
  candles: 5,
  warmup: 14,
  colours: ['WB..W'],
  values: [100],
  reference: 'Morris, Candlepower, 1992',
  params: { penetration: penetration(0.5) },
  match(bars, { penetration }) {
    if (!bars.bodyGapsUp(3) || !bars.isLong(4) || !bars.isShort(3) || !bars.isShort(2) || !bars.isShort(1))
      return 0;
    const floor = bars.close(4) - bars.body(4) * penetration;
    const holds = (age: number) => bars.bottom(age) < bars.close(4) && bars.bottom(age) > floor;
    const sinks = bars.top(2) < bars.open(3) && bars.top(1) < bars.top(2);
    const leaves =
      bars.open(0) > bars.close(1) && bars.close(0) > Math.max(bars.high(3), bars.high(2), bars.high(1));
    return holds(2) && holds(1) && sinks && leaves ? 100 : 0;
  },
});
