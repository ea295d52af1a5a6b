import { createCandles, type Candles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';

const hourMs = 3_600_000;

/** Candles of a random walk, reproducible by seed: 1h apart from `startMs` on unless `stepMs` says otherwise. */
export function randomCandles(
  count: number,
  { seed = 1, startMs = Date.UTC(2024, 0, 1), stepMs = hourMs, price = 100 } = {},
): Candles {
  const random = createRandom(seed);
  const candles = createCandles(count);
  let last = price;
  for (let i = 0; i < count; i++) {
    const open = last;
    const close = open * (1 + (random.unit() - 0.5) * 0.04);
    candles.time[i] = startMs + i * stepMs;
    candles.open[i] = open;
    candles.close[i] = close;
    candles.high[i] = Math.max(open, close) * (1 + random.unit() * 0.01);
    candles.low[i] = Math.min(open, close) * (1 - random.unit() * 0.01);
    candles.volume[i] = random.unit() * 1000;
    last = close;
  }
  return candles;
}
