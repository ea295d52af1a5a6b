import { defineIndicator, type IndicatorStream } from '../model/indicator.js';

/** An average with exponentially falling weights; its first value is the mean of the first `period` closes. */
export const ema = defineIndicator({
  name: 'ema',
  title: 'Exponential Moving Average',
  formula: 'EMA before + 2 / (period + 1) x (close - EMA before), from the SMA of the first period',
  reading: 'price above a rising average: upward; newer closes weigh more than in the SMA',
  kind: 'trend',
  reference: 'TA-Lib EMA (default compatibility)',
  inputs: ['close'],
  outputs: ['ema'],
  params: {
    period: { min: 2, max: 500, default: 20, title: 'Period in candles; the weight is 2 / (period + 1)' },
  },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { ema }) {
    const { length } = close;
    if (length < period) return;
    let sum = 0;
    for (let i = 0; i < period; i++) sum += close[i];
    const weight = 2 / (period + 1);
    const keep = 1 - weight;
    const [keep2, keep3, keep4] = [keep * keep, keep * keep * keep, keep * keep * keep * keep];
    let average = sum / period;
    ema[period - 1] = average;
    let i = period;
    // Unrolled by four: the terms of the candles themselves (a to d) do not depend on the average before them, so they
    // are computed in parallel; the dependency between steps is what limits a recursion.
    for (; i + 3 < length; i += 4) {
      const a = close[i] * weight;
      const b = a * keep + close[i + 1] * weight;
      const c = b * keep + close[i + 2] * weight;
      const d = c * keep + close[i + 3] * weight;
      ema[i] = average * keep + a;
      ema[i + 1] = average * keep2 + b;
      ema[i + 2] = average * keep3 + c;
      average = average * keep4 + d;
      ema[i + 3] = average;
    }
    for (let kept = keep, added = 0; i < length; i++, kept *= keep) {
      added = added * keep + close[i] * weight;
      ema[i] = average * kept + added;
    }
  },
  stream: streamEma,
});

/** The exponential moving average, candle by candle. */
function streamEma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'ema'> {
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
