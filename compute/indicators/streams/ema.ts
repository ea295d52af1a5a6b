import type { IndicatorStream } from '../../indicator.js';

/** The exponential moving average, candle by candle. */
export function streamEma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'ema'> {
  const weight = 2 / (period + 1);
  const keep = 1 - weight;
  let count = 0;
  let sum = 0;
  let start = NaN;
  let [kept, added] = [1, 0];
  return {
    next({ close }) {
      count++;
      if (count < period) {
        sum += close;
        return { ema: NaN };
      }
      if (count === period) {
        start = (sum + close) / period;
        return { ema: start };
      }
      // The sum of the batch, which takes four candles from one start.
      kept *= keep;
      added = added * keep + close * weight;
      const average = start * kept + added;
      if ((count - period) % 4 === 0) [start, kept, added] = [average, 1, 0];
      return { ema: average };
    },
  };
}
