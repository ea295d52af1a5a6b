import type { IndicatorStream } from '../../model/indicator.js';

/** The Average True Range, candle by candle. */
export function streamAtr({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'atr'> {
  const share = 1 / period;
  const keep = 1 - share;
  const fresh = () => ({ index: -1, before: NaN, start: 0, kept: 1, added: 0 });
  const live = fresh();
  const step = (memory: typeof live, { high, low, close }: Record<'high' | 'low' | 'close', number>) => {
    const index = ++memory.index;
    const { before } = memory;
    const part = (Math.max(high, before) - Math.min(low, before)) * share;
    memory.before = close;
    if (index === 0) return { atr: NaN };
    if (index <= period) {
      memory.start += part;
      return { atr: index < period ? NaN : memory.start };
    }
    // The same order of operations as the batch, which computes four candles from one average.
    memory.kept *= keep;
    memory.added = memory.added * keep + part;
    const average = memory.start * memory.kept + memory.added;
    if ((index - period) % 4 === 0) {
      memory.start = average;
      memory.kept = 1;
      memory.added = 0;
    }
    return { atr: average };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
