import type { IndicatorStream } from '../../indicator.js';

/** The Average True Range, candle by candle. */
export function streamAtr({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'atr'> {
  const half = 0.5 / period;
  const keep = 1 - 1 / period;
  const fresh = () => ({ index: -1, before: NaN, average: 0 });
  const live = fresh();
  const step = (memory: typeof live, { high, low, close }: Record<'high' | 'low' | 'close', number>) => {
    const index = ++memory.index;
    const { before, average } = memory;
    if (index > 0) {
      const twice = Math.abs(high - before) + Math.abs(low - before) + (high - low);
      memory.average = (index <= period ? average : average * keep) + twice * half;
    }
    memory.before = close;
    return { atr: index < period ? NaN : memory.average };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
