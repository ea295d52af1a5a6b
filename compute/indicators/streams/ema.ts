import type { IndicatorStream } from '../../indicator.js';

/** The exponential moving average, candle by candle. */
export function streamEma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'ema'> {
  const weight = 2 / (period + 1);
  const keep = 1 - weight;
  const fresh = () => ({ count: 0, sum: 0, average: NaN });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const count = ++memory.count;
    if (count <= period) memory.sum += close;
    if (count === period) memory.average = memory.sum / period;
    if (count > period) memory.average = memory.average * keep + close * weight;
    return { ema: memory.average };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
