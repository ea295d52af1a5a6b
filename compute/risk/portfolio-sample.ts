import { alignCloses } from '../market/align.js';
import { leadingAsset } from '../model/asset-fields.js';
import { field, type Value, type Values } from '../model/field.js';
import { intervalMs } from '../model/interval.js';
import type { PairCandles } from '../task.js';

/** The most and the fewest common daily returns of a sample. */
const sampleReturns = { most: 730, fewest: 30 } as const;

/** Why there is no sample. */
export const tooFewReturns = `the assets have fewer than ${sampleReturns.fewest} daily returns in common`;

const dayMs = intervalMs('1d');

/** An asset with fewer candles is left out, because it would shorten the sample of all others. */
const fewestCandles = 61;

export const sampleFields = {
  count: field.count('daily returns of each asset; none spans a missing day'),
  from: field.time('open time of the candle that the first return starts from'),
  to: field.time('close time of the last candle'),
};

/** Daily returns of assets on the same days; none spans a day that one of them lacks. */
export interface PortfolioSample extends Values<typeof sampleFields> {
  /** By asset; those of the quote currency are 0. */
  returns: ReadonlyMap<string, Float64Array>;
}

export const leftOutAsset = field.object('an asset that is not in the sample', {
  asset: field.text('asset symbol'),
  reason: field.choice('stale: its last candle is old; fewCandles: it has fewer than 61 candles', [
    'stale',
    'fewCandles',
  ]),
});

export type LeftOut = Value<typeof leftOutAsset>;

/**
 * The last common returns of the assets held and of BTC; null with fewer than 30. `present` are the pairs that are not
 * stale.
 */
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

/** Only returns from one day to the next: a return over missing days would overstate the volatility of a day. */
function commonReturns(pairs: readonly PairCandles[], quote: string): PortfolioSample | null {
  const series = pairs.map(({ candles }) => candles);
  const { time, closes } = alignCloses(series, sampleReturns.most + 1);
  const ends = [...time.keys()].filter((i) => i > 0 && time[i] - time[i - 1] === dayMs);
  const count = ends.length;
  if (count < sampleReturns.fewest) return null;
  const returnsOf = (close: Float64Array) => Float64Array.from(ends, (i) => close[i] / close[i - 1] - 1);
  const returns = new Map(pairs.map(({ asset }, n) => [asset, returnsOf(closes[n])]));
  returns.set(quote, new Float64Array(count));
  return { count, from: time[ends[0] - 1], to: time[time.length - 1] + dayMs, returns };
}
