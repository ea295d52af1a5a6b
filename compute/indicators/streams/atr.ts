import type { IndicatorStream } from '../../indicator.js';

/** The Average True Range, candle by candle. */
export function streamAtr({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'atr'> {
  const share = 1 / period;
  const keep = 1 - share;
  let index = -1;
  let before = NaN;
  let start = 0;
  let [kept, added] = [1, 0];
  return {
    next({ high, low, close }) {
      index++;
      const part = (Math.max(high, before) - Math.min(low, before)) * share;
      before = close;
      if (index === 0) return { atr: NaN };
      if (index <= period) {
        start += part;
        return { atr: index < period ? NaN : start };
      }
      // The sum of the batch, which takes four candles from one start.
      kept *= keep;
      added = added * keep + part;
      const average = start * kept + added;
      if ((index - period) % 4 === 0) [start, kept, added] = [average, 1, 0];
      return { atr: average };
    },
  };
}
