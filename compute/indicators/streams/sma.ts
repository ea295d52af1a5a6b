import type { IndicatorStream } from '../../indicator.js';
import { stretch } from '../sma.js';

/** The simple moving average, candle by candle. */
export function streamSma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'sma'> {
  const share = 1 / period;
  const ring = new Float64Array(period);
  let count = 0;
  let sum = 0;
  return {
    next({ close }) {
      const slot = count % period;
      const leaving = ring[slot];
      ring[slot] = close;
      count++;
      if (count < period) return { sma: NaN };
      if ((count - period) % stretch === 0) {
        sum = 0;
        for (let k = 1; k <= period; k++) sum += ring[(slot + k) % period];
      } else sum += close - leaving;
      return { sma: sum * share };
    },
  };
}
