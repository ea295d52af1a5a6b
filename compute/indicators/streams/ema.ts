import type { IndicatorStream } from '../../model/indicator.js';

/** The exponential moving average, candle by candle. */
export function streamEma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'ema'> {
  const weight = 2 / (period + 1);
  const keep = 1 - weight;
  const fresh = () => ({ count: 0, sum: 0, start: NaN, kept: 1, added: 0 });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const count = ++memory.count;
    if (count < period) {
      memory.sum += close;
      return { ema: NaN };
    }
    if (count === period) {
      memory.start = (memory.sum + close) / period;
      return { ema: memory.start };
    }
    // The same order of operations as the batch, which computes four candles from one average.
    memory.kept *= keep;
    memory.added = memory.added * keep + close * weight;
    const average = memory.start * memory.kept + memory.added;
    if ((count - period) % 4 === 0) {
      memory.start = average;
      memory.kept = 1;
      memory.added = 0;
    }
    return { ema: average };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
