import type { IndicatorStream } from '../../indicator.js';

/** The exponential moving average, candle by candle. */
export function streamEma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'ema'> {
  const weight = 2 / (period + 1);
  const keep = 1 - weight;
  let count = 0;
  let sum = 0;
  let average = NaN;
  return {
    next({ close }) {
      count++;
      if (count <= period) sum += close;
      if (count === period) average = sum / period;
      if (count > period) average = average * keep + close * weight;
      return { ema: average };
    },
  };
}
