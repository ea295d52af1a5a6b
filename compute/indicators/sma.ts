import { defineIndicator, type IndicatorStream } from '../model/indicator.js';

/** The running sum is computed anew after this many candles, so that rounding errors do not accumulate. */
const stretch = 512;

/** The simple moving average, candle by candle. */
function streamSma({ period }: Readonly<{ period: number }>): IndicatorStream<'close', 'sma'> {
  const share = 1 / period;
  const fresh = () => ({ count: 0, sum: 0, ring: new Float64Array(period) });
  const live = fresh();
  const step = (memory: typeof live, { close }: { close: number }) => {
    const { ring } = memory;
    const slot = memory.count % period;
    const leaving = ring[slot];
    ring[slot] = close;
    const count = ++memory.count;
    if (count < period) return { sma: NaN };
    if ((count - period) % stretch === 0) {
      memory.sum = 0;
      for (let k = 1; k <= period; k++) memory.sum += ring[(slot + k) % period];
    } else memory.sum += close - leaving;
    return { sma: memory.sum * share };
  };
  const copy = () => Object.assign(fresh(), live, { ring: live.ring.slice() });
  return { next: (candle) => step(live, candle), peek: (candle) => step(copy(), candle) };
}

/** The arithmetic mean of the last closes. */
export const sma = defineIndicator({
  name: 'sma',
  title: 'Simple Moving Average',
  formula: 'mean of the last closes',
  reading: 'price above a rising average: upward; the 50 and 200 cross is widely watched',
  kind: 'trend',
  reference: 'TA-Lib SMA',
  inputs: ['close'],
  outputs: ['sma'],
  params: { period: { min: 2, max: 500, default: 20, title: 'Period in candles' } },
  warmup: ({ period }) => period - 1,
  fill({ close }, { period }, { sma }) {
    const { length } = close;
    const share = 1 / period;
    for (let first = period - 1; first < length; first += stretch) {
      const end = Math.min(first + stretch, length);
      let sum = 0;
      for (let i = first - period + 1; i <= first; i++) sum += close[i];
      sma[first] = sum * share;
      let i = first + 1;
      // Unrolled by four: the overhead of the loop is as high as the cost of its body.
      for (; i + 3 < end; i += 4) {
        const a = sum + (close[i] - close[i - period]);
        const b = a + (close[i + 1] - close[i + 1 - period]);
        const c = b + (close[i + 2] - close[i + 2 - period]);
        sum = c + (close[i + 3] - close[i + 3 - period]);
        sma[i] = a * share;
        sma[i + 1] = b * share;
        sma[i + 2] = c * share;
        sma[i + 3] = sum * share;
      }
      for (; i < end; i++) {
        sum += close[i] - close[i - period];
        sma[i] = sum * share;
      }
    }
  },
  stream: streamSma,
});
