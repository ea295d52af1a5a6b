import type { Bars } from '../patterns/rules/bars.js';
import { meanInterval, type MeanInterval } from '../metrics/mean-interval.js';
import { proportionInterval } from '../metrics/proportion-interval.js';
import { computePattern, sentimentOf, type Pattern, type Sentiment } from '../model/pattern.js';
import { patterns } from '../patterns/index.js';

/** How many candles after a pattern what followed it is read. */
const followCandles = 5;

/**
 * What followed a pattern of one sentiment, over the whole history. Occurrences count where five candles have closed
 * since, and, so that no return is counted twice, none of the four candles before was counted.
 */
export interface PatternHistory {
  name: Pattern['name'];
  pattern: string;
  sentiment: Sentiment;
  /** How often it has been seen, and how many of these count. */
  seen: number;
  counted: number;
  /** The change of the close over the next five candles, in percent, with the 95 % interval of its mean. */
  nextReturn: MeanInterval;
  /** How often price went the way of the pattern; null for a neutral one. */
  followed: Follow | null;
}

/** Shares in percent, with Wilson's 95 % interval. */
export interface Follow {
  percent: number | null;
  low: number | null;
  high: number | null;
  /** The share of all candles after which price went that way. */
  basePercent: number;
  /** Whether the base rate lies below or above the interval; one of twenty patterns does so by chance. */
  against: 'better' | 'worse' | 'no different';
}

export interface BaseRate {
  /** How many candles have five after them; their returns overlap, so there is no interval. */
  count: number;
  /** Mean change of the close over the next five candles, in percent. */
  meanReturn: number;
  /** Share of candles after which the close was higher, and lower, five candles later. */
  upPercent: number;
  downPercent: number;
}

/** The change of the close over the next candles, in percent, for every candle that has them. */
export function returnsAfter(close: Float64Array): Float64Array {
  const returns = new Float64Array(close.length - followCandles);
  for (let i = 0; i < returns.length; i++) returns[i] = (close[i + followCandles] / close[i] - 1) * 100;
  return returns;
}

/** What follows any candle, from the returns of all. */
export function baseRateOf(returns: Float64Array): BaseRate {
  let [sum, up, down] = [0, 0, 0];
  for (let i = 0; i < returns.length; i++) {
    sum += returns[i];
    up += Number(returns[i] > 0);
    down += Number(returns[i] < 0);
  }
  const count = returns.length;
  return { count, meanReturn: sum / count, upPercent: (up / count) * 100, downPercent: (down / count) * 100 };
}

/** What followed the pattern of that name, where it had that sentiment. */
export function followPattern(
  { name, sentiment }: Pick<PatternHistory, 'name' | 'sentiment'>,
  bars: Bars,
  returns: Float64Array,
  base: BaseRate,
): PatternHistory {
  const pattern = patterns.find((each) => each.name === name)!;
  const values = computePattern(pattern, bars);
  const counted: number[] = [];
  let seen = 0;
  let free = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] === 0 || sentimentOf(pattern, values[i]) !== sentiment) continue;
    seen++;
    if (i < free || i >= returns.length) continue;
    counted.push(returns[i]);
    free = i + followCandles;
  }
  const nextReturn = meanInterval(counted);
  const followed = sentiment === 'neutral' ? null : followOf(sentiment, counted, base);
  return { name, pattern: pattern.title, sentiment, seen, counted: counted.length, nextReturn, followed };
}

function followOf(sentiment: 'bullish' | 'bearish', returns: readonly number[], base: BaseRate): Follow {
  const way = sentiment === 'bullish' ? 1 : -1;
  const hits = returns.filter((change) => change * way > 0).length;
  const { share, low, high } = proportionInterval(hits, returns.length);
  const percentOf = (value: number | null) => (value === null ? null : value * 100);
  const basePercent = way > 0 ? base.upPercent : base.downPercent;
  const isBetter = (percentOf(low) ?? 0) > basePercent;
  const isWorse = (percentOf(high) ?? 100) < basePercent;
  const against = isBetter ? 'better' : isWorse ? 'worse' : 'no different';
  return { percent: percentOf(share), low: percentOf(low), high: percentOf(high), basePercent, against };
}
