import type { IndicatorStream } from '../../model/indicator.js';

/** The running sum is computed anew after this many candles, so that rounding errors do not accumulate. */
export const stretch = 512;

/** The simple moving average, candle by candle. */
export function streamSma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'sma'> {
  const share = 1 / period;
  const fresh = () => ({ count: 0, sum: 0, ring: new Float64Array(period) });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const { ring } = memory;
    const slot = memory.count % period;
    const leaving = ring[slot];
    ring[slot] = close;
    const count = ++memory.count;
    if (count < period) return { sma: NaN };
    if ((count - period) % stretch === 0) {
      memory.sum = 0;
      for (let k = 1; k <= period; k++) memory.sum += ring[(slot + k) % period];
    } else memory.sum += close - leaving;
    return { sma: memory.sum * share };
  };
  const copy = () => Object.assign(fresh(), live, { ring: live.ring.slice() });
  return { next: (candle) => step(live, candle), peek: (candle) => step(copy(), candle) };
}
