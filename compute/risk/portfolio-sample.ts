import { alignCloses } from '../market/align.js';
import { candleReturns } from '../metrics/returns.js';
import { intervalMs } from '../model/interval.js';
import type { PairCandles } from '../task.js';

export const leadingAsset = 'BTC';

/** The most and the fewest common daily returns that figures rest on. */
const sampleReturns = { most: 730, fewest: 30 } as const;

/** An asset with fewer candles is left out, lest it cuts short the sample of all others. */
const fewestCandles = 61;

/** Daily returns of assets on the same days. Times in ms, UTC. */
export interface PortfolioSample {
  count: number;
  /** Open time of the candle that the first return starts from, and close time of the last. */
  from: number;
  to: number;
  /** By asset; those of the quote currency are 0. */
  returns: ReadonlyMap<string, Float64Array>;
}

/** Assets held that are not in the sample, and why. */
export interface LeftOut {
  asset: string;
  reason: 'stale' | 'fewCandles';
}

/** The last common returns of the assets held and of BTC; null with fewer than 30. `present` are the pairs that are not stale. */
export function portfolioSample(
  held: readonly string[],
  present: readonly PairCandles[],
  quote: string,
): { sample: PortfolioSample | null; leftOut: LeftOut[] } {
  const sampled = present.filter(({ candles }) => candles.time.length >= fewestCandles);
  const has = (pairs: readonly PairCandles[], asset: string) => pairs.some((pair) => pair.asset === asset);
  const leftOut = held
    .filter((asset) => !has(sampled, asset))
    .map((asset): LeftOut => ({ asset, reason: has(present, asset) ? 'fewCandles' : 'stale' }));
  const chosen = sampled.filter(({ asset }) => asset === leadingAsset || held.includes(asset));
  return { sample: commonReturns(chosen, quote), leftOut };
}

function commonReturns(pairs: readonly PairCandles[], quote: string): PortfolioSample | null {
  const series = pairs.map(({ candles }) => candles);
  const { time, closes } = alignCloses(series, sampleReturns.most + 1);
  const count = time.length - 1;
  if (count < sampleReturns.fewest) return null;
  const returns = new Map(pairs.map(({ asset }, n) => [asset, candleReturns(closes[n])]));
  returns.set(quote, new Float64Array(count));
  return { count, from: time[0], to: time[count] + intervalMs('1d'), returns };
}
