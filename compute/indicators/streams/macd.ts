import type { IndicatorStream } from '../../model/indicator.js';

type MacdParams = Readonly<Record<'fast' | 'slow' | 'signal', number>>;

/** Moving Average Convergence Divergence, candle by candle. */
export function streamMacd(params: MacdParams): IndicatorStream<'close', 'macd' | 'signal' | 'histogram'> {
  const fast = Math.min(params.fast, params.slow);
  const slow = Math.max(params.fast, params.slow);
  const warmup = slow + params.signal - 2;
  const fastWeight = 2 / (fast + 1);
  const slowWeight = 2 / (slow + 1);
  const weight = 2 / (params.signal + 1);
  const fresh = () => ({ index: -1, quick: 0, calm: 0, average: 0 });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const index = ++memory.index;
    if (index < slow) {
      memory.calm += close;
      if (index >= slow - fast) memory.quick += close;
      if (index === slow - 1) {
        memory.quick /= fast;
        memory.calm /= slow;
      }
    } else {
      memory.quick += (close - memory.quick) * fastWeight;
      memory.calm += (close - memory.calm) * slowWeight;
    }
    if (index < slow - 1) return { macd: NaN, signal: NaN, histogram: NaN };
    const difference = memory.quick - memory.calm;
    if (index > warmup) memory.average += (difference - memory.average) * weight;
    else memory.average += difference;
    if (index < warmup) return { macd: NaN, signal: NaN, histogram: NaN };
    if (index === warmup) memory.average /= params.signal;
    return { macd: difference, signal: memory.average, histogram: difference - memory.average };
  };
  return {
    next: (candle) => step(live, candle),
    peek: (candle) => step(Object.assign(fresh(), live), candle),
  };
}
