import type { IndicatorStream } from '../../model/indicator.js';

/** Kaufman's Adaptive Moving Average, candle by candle. */
export function streamKama({
  period,
  fast,
  slow,
}: Readonly<Record<'period' | 'fast' | 'slow', number>>): IndicatorStream<'close', 'kama'> {
  const slowest = 2 / (slow + 1);
  const range = 2 / (fast + 1) - slowest;
  // The close of this candle replaces the one of `period` + 1 candles ago.
  const size = period + 1;
  const fresh = () => ({
    index: -1,
    slot: 0,
    before: NaN,
    path: 0,
    still: 0,
    average: NaN,
    closes: new Float64Array(size),
  });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const { closes, slot, before } = memory;
    const index = ++memory.index;
    const leaving = closes[slot];
    closes[slot] = close;
    memory.slot = slot + 1 === size ? 0 : slot + 1;
    memory.before = close;
    if (index === 0) return { kama: NaN };
    const start = closes[memory.slot];
    const move = Math.abs(close - before);
    if (index > period) memory.path -= Math.abs(start - leaving);
    memory.path += move;
    memory.still = move === 0 ? memory.still + 1 : 0;
    if (index < period) return { kama: NaN };
    if (index === period) memory.average = before;
    if (memory.still >= period) memory.path = 0;
    const travel = Math.abs(close - start);
    const efficiency = memory.path <= travel ? 1 : travel / memory.path;
    const root = efficiency * range + slowest;
    const weight = root * root;
    memory.average = memory.average * (1 - weight) + close * weight;
    return { kama: memory.average };
  };
  const copy = () => Object.assign(fresh(), live, { closes: live.closes.slice() });
  return { next: (candle) => step(live, candle), peek: (candle) => step(copy(), candle) };
}
