import type { IndicatorStream } from '../../model/indicator.js';

/** The Relative Strength Index, candle by candle. */
export function streamRsi({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'rsi'> {
  const share = 1 / period;
  const keep = 1 - share;
  const fresh = () => ({ index: -1, before: NaN, gain: 0, loss: 0 });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const index = ++memory.index;
    const { before } = memory;
    if (index > 0) {
      const kept = index <= period ? 1 : keep;
      memory.gain = memory.gain * kept + Math.max(close - before, 0) * share;
      memory.loss = memory.loss * kept + Math.max(before - close, 0) * share;
    }
    memory.before = close;
    const { gain, loss } = memory;
    const both = gain + loss;
    const strength = both > 0 ? (100 * gain) / both : 0;
    return { rsi: index < period ? NaN : strength };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
