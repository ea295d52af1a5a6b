import type { IndicatorStream } from '../../indicator.js';

type MacdParams = Readonly<Record<'fast' | 'slow' | 'signal', number>>;

/** Moving Average Convergence Divergence, candle by candle. */
export function streamMacd(params: MacdParams): IndicatorStream<'close', 'macd' | 'signal' | 'histogram'> {
  const fast = Math.min(params.fast, params.slow);
  const slow = Math.max(params.fast, params.slow);
  const warmup = slow + params.signal - 2;
  const fastWeight = 2 / (fast + 1);
  const slowWeight = 2 / (slow + 1);
  const weight = 2 / (params.signal + 1);
  let index = -1;
  let quick = 0;
  let calm = 0;
  let average = 0;
  return {
    next({ close }) {
      index++;
      if (index < slow) {
        calm += close;
        if (index >= slow - fast) quick += close;
        if (index === slow - 1) {
          quick /= fast;
          calm /= slow;
        }
      } else {
        quick += (close - quick) * fastWeight;
        calm += (close - calm) * slowWeight;
      }
      if (index < slow - 1) return { macd: NaN, signal: NaN, histogram: NaN };
      const difference = quick - calm;
      if (index > warmup) average += (difference - average) * weight;
      else average += difference;
      if (index < warmup) return { macd: NaN, signal: NaN, histogram: NaN };
      if (index === warmup) average /= params.signal;
      return { macd: difference, signal: average, histogram: difference - average };
    },
  };
}
