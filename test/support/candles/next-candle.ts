import { copyCandles, createCandles, type Candles } from '../../../compute/model/candles.js';

/** The candles and one more, which opens at the last close and goes straight to `close`. */
export function withNextCandle(candles: Candles, close: number): Candles {
  const count = candles.time.length;
  const all = createCandles(count + 1);
  copyCandles(candles, all, 0);
  const last = candles.close[count - 1];
  all.time[count] = 2 * candles.time[count - 1] - candles.time[count - 2];
  all.open[count] = last;
  all.high[count] = last > close ? last : close;
  all.low[count] = last < close ? last : close;
  all.close[count] = close;
  return all;
}
