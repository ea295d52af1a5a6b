import { defineIndicator, type IndicatorStream } from '../model/indicator.js';

/** Fast average minus slow average, the average of that (signal), and their difference (histogram); in quote units. */
export const macd = defineIndicator({
  name: 'macd',
  title: 'Moving Average Convergence Divergence',
  formula: 'fast EMA - slow EMA of closes; signal: EMA of that; histogram: their difference',
  reading: 'line above signal: momentum grows; above 0: the fast average is above the slow one',
  kind: 'trend',
  reference: 'Appel, 1979; both averages seeded at the same candle as TA-Lib MACD',
  inputs: ['close'],
  outputs: ['macd', 'signal', 'histogram'],
  params: {
    fast: { min: 2, max: 500, default: 12, title: 'Period of the fast average' },
    slow: {
      min: 2,
      max: 500,
      default: 26,
      title: 'Period of the slow average; the longer of the two counts',
    },
    signal: { min: 1, max: 500, default: 9, title: 'Period of the average of the difference' },
  },
  warmup: ({ fast, slow, signal }) => Math.max(fast, slow) + signal - 2,
  fill({ close }, params, { macd, signal, histogram }) {
    const { length } = close;
    const fast = Math.min(params.fast, params.slow);
    const slow = Math.max(params.fast, params.slow);
    const warmup = slow + params.signal - 2;
    if (length <= warmup) return;
    const fastWeight = 2 / (fast + 1);
    const slowWeight = 2 / (slow + 1);
    const weight = 2 / (params.signal + 1);
    let quick = 0;
    let calm = 0;
    for (let i = 0; i < slow; i++) calm += close[i];
    for (let i = slow - fast; i < slow; i++) quick += close[i];
    quick /= fast;
    calm /= slow;
    let sum = quick - calm;
    for (let i = slow; i <= warmup; i++) {
      quick += (close[i] - quick) * fastWeight;
      calm += (close[i] - calm) * slowWeight;
      sum += quick - calm;
    }
    let average = sum / params.signal;
    macd[warmup] = quick - calm;
    signal[warmup] = average;
    histogram[warmup] = quick - calm - average;
    for (let i = warmup + 1; i < length; i++) {
      const price = close[i];
      quick += (price - quick) * fastWeight;
      calm += (price - calm) * slowWeight;
      const difference = quick - calm;
      average += (difference - average) * weight;
      macd[i] = difference;
      signal[i] = average;
      histogram[i] = difference - average;
    }
  },
  stream: streamMacd,
});

type MacdParams = Readonly<Record<'fast' | 'slow' | 'signal', number>>;

/** Moving Average Convergence Divergence, candle by candle. */
function streamMacd(params: MacdParams): IndicatorStream<'close', 'macd' | 'signal' | 'histogram'> {
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
