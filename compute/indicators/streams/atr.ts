import type { IndicatorStream } from '../../indicator.js';

/** The Average True Range, candle by candle. */
export function streamAtr({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'atr'> {
  const share = 1 / period;
  const keep = 1 - share;
  let index = -1;
  let before = NaN;
  let average = 0;
  return {
    next({ high, low, close }) {
      index++;
      if (index > 0) {
        const range = Math.max(high, before) - Math.min(low, before);
        average = (index <= period ? average : average * keep) + range * share;
      }
      before = close;
      return { atr: index < period ? NaN : average };
    },
  };
}
