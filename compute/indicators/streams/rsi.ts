import type { IndicatorStream } from '../../indicator.js';

/** The Relative Strength Index, candle by candle. */
export function streamRsi({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'rsi'> {
  const share = 1 / period;
  const keep = 1 - share;
  let index = -1;
  let before = NaN;
  let gain = 0;
  let loss = 0;
  return {
    next({ close }) {
      index++;
      if (index > 0) {
        const kept = index <= period ? 1 : keep;
        gain = gain * kept + Math.max(close - before, 0) * share;
        loss = loss * kept + Math.max(before - close, 0) * share;
      }
      before = close;
      const both = gain + loss;
      const strength = both > 0 ? (100 * gain) / both : 0;
      return { rsi: index < period ? NaN : strength };
    },
  };
}
