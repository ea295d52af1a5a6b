import type { MarketTick } from '../../../compute/model/market-tick.js';

/** Two successive ticks of a pair as one: the later price, with the range and the volume of both. */
export const mergedTick = (earlier: MarketTick, later: MarketTick): MarketTick => ({
  ...later,
  high: earlier.high.compare(later.high) > 0 ? earlier.high : later.high,
  low: earlier.low.compare(later.low) < 0 ? earlier.low : later.low,
  volume: earlier.volume && later.volume ? earlier.volume.plus(later.volume) : null,
  since: Math.min(earlier.since, later.since),
});
