import type { IndicatorStream } from '../../indicator.js';

/** Kaufman's Adaptive Moving Average, candle by candle. */
export function streamKama({
  period,
  fast,
  slow,
}: Readonly<Record<'period' | 'fast' | 'slow', number>>): IndicatorStream<'close', 'kama'> {
  const slowest = 2 / (slow + 1);
  const range = 2 / (fast + 1) - slowest;
  const size = period + 2;
  const closes = new Float64Array(size);
  const back = (index: number) => closes[(index + size) % size];
  let index = -1;
  let path = 0;
  let still = 0;
  let average = NaN;
  return {
    next({ close }) {
      index++;
      closes[index % size] = close;
      if (index === 0) return { kama: NaN };
      const before = back(index - 1);
      const move = Math.abs(close - before);
      if (index > period) path -= Math.abs(back(index - period) - back(index - period - 1));
      path += move;
      still = move === 0 ? still + 1 : 0;
      if (index < period) return { kama: NaN };
      if (index === period) average = before;
      if (still >= period) path = 0;
      const travel = Math.abs(close - back(index - period));
      const efficiency = path <= travel ? 1 : travel / path;
      const root = efficiency * range + slowest;
      const weight = root * root;
      average = average * (1 - weight) + close * weight;
      return { kama: average };
    },
  };
}
