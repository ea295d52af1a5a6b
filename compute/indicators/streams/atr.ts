import type { IndicatorStream } from '../../indicator.js';

/** The Average True Range, candle by candle. */
export function streamAtr({
  period,
}: Readonly<{ period: number }>): IndicatorStream<'high' | 'low' | 'close', 'atr'> {
  const half = 0.5 / period;
  const keep = 1 - 1 / period;
  let index = -1;
  let before = NaN;
  let average = 0;
  return {
    next({ high, low, close }) {
      index++;
      if (index > 0) {
        const twice = Math.abs(high - before) + Math.abs(low - before) + (high - low);
        average = (index <= period ? average : average * keep) + twice * half;
      }
      before = close;
      return { atr: index < period ? NaN : average };
    },
  };
}
