import fc from 'fast-check';
import { createCandles, type Candles } from '../../../compute/model/candles.js';
import { createRandom } from '../../../compute/model/random.js';

const hourMs = 3_600_000;

/** Candles of 1h that are hard on an engine: gaps in price and time, flat stretches, crashes, spikes, tiny prices. */
export const anyCandles: fc.Arbitrary<Candles> = fc
  .record({
    count: fc.integer({ min: 40, max: 160 }),
    seed: fc.nat(),
    price: fc.constantFrom(1e-8, 0.5, 100, 60_000),
    step: fc.constantFrom(0.002, 0.03, 0.3),
    start: fc.integer({ min: 0, max: 30 }),
    drift: fc.constantFrom(-0.03, 0, 0.03),
  })
  .map(({ count, seed, price, step, start, drift }) => {
    const { unit } = createRandom(seed);
    const candles = createCandles(count);
    let last: number = price;
    let time = Date.UTC(2024, 0, 1) + start * hourMs;
    for (let i = 0; i < count; i++) {
      const kind = unit();
      if (kind < 0.03) time += hourMs * (1 + Math.floor(unit() * 6));
      const open = kind < 0.1 ? last * (0.7 + unit() * 0.6) : last;
      const move = kind > 0.97 ? 2.2 : 1 + (unit() - 0.5 + drift) * step;
      const isFlat = kind > 0.85 && kind < 0.95;
      // Prices of six digits touch levels exactly now and then.
      const close = Number((isFlat ? open : open * move).toPrecision(6));
      const reach = isFlat ? 0 : step / 2;
      candles.time[i] = time;
      candles.open[i] = open;
      candles.close[i] = close;
      candles.high[i] = Math.max(open, close) * (1 + unit() * reach);
      candles.low[i] = Math.min(open, close) * (1 - unit() * reach);
      candles.volume[i] = isFlat ? 0 : unit() * 1000;
      last = close;
      time += hourMs;
    }
    return candles;
  });
