import { Bars } from '../bars.js';
import { meanInterval, type MeanInterval } from '../metrics/mean-interval.js';
import { proportionInterval } from '../metrics/proportion-interval.js';
import { Room } from '../model/room.js';
import { computePattern, sentimentOf, type Pattern, type PatternValue, type Sentiment } from '../pattern.js';
import { patterns } from '../patterns/index.js';
import type { SeriesQuestion } from '../task.js';
import { readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** How many closed candles the reading needs at least. */
export const patternCandles = 30;

/** How many candles after a pattern what followed it is read. */
const followCandles = 5;

export interface CandlestickParams {
  /** On how many of the last candles patterns are looked for. */
  lookback: number;
}

export interface CandlestickReport extends ReadAt {
  lookback: number;
  /** The newest first; of the same candle the longer pattern first. */
  patterns: PatternOccurrence[];
  /** What followed each of them so far on this pair, in the order in which they come above. */
  histories: PatternHistory[];
  /** What followed any candle: the rate to beat. */
  base: BaseRate;
}

/** A pattern that ends on a candle. */
export interface PatternOccurrence {
  name: Pattern['name'];
  /** The pattern in words. */
  pattern: string;
  sentiment: Sentiment;
  /** As TA-Lib's: 100, 80 where one end of two bodies is equal, 200 where an earlier signal is confirmed; negative is bearish. */
  value: PatternValue;
  /** How many candles the pattern covers. */
  candles: number;
  /** Open time of its last candle in ms, UTC, and its close. */
  time: number;
  close: number;
  candlesAgo: number;
}

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

/** Candlestick patterns on the last candles, and how each has fared on this pair. Throws `not_enough_history`. */
export function reportCandlesticks(
  question: SeriesQuestion<CandlestickParams>,
  room = new Room(),
): CandlestickReport {
  requireCandles('a reading of candlestick patterns', question, patternCandles);
  const { candles, params } = question;
  const bars = new Bars(candles, room);
  const from = Math.max(0, bars.length - params.lookback);
  const found = patterns
    .flatMap((pattern) => occurrencesFrom(from, pattern, bars, question))
    .sort((left, right) => left.candlesAgo - right.candlesAgo || right.candles - left.candles);
  const returns = returnsAfter(candles.close);
  const base = baseRateOf(returns);
  return {
    ...readAt(question),
    lookback: params.lookback,
    patterns: found,
    histories: kindsOf(found).map((kind) => historyOf(kind, bars, returns, base)),
    base,
  };
}

function occurrencesFrom(
  from: number,
  pattern: Pattern,
  bars: Bars,
  { candles: { time, close } }: SeriesQuestion,
): PatternOccurrence[] {
  const values = computePattern(pattern, bars, {}, from);
  const found: PatternOccurrence[] = [];
  for (let i = from; i < values.length; i++) {
    if (values[i] === 0) continue;
    const { name, title, candles } = pattern;
    const candlesAgo = values.length - 1 - i;
    const value = values[i] as PatternValue;
    const sentiment = sentimentOf(pattern, value);
    found.push({
      name,
      pattern: title,
      sentiment,
      value,
      candles,
      time: time[i],
      close: close[i],
      candlesAgo,
    });
  }
  return found;
}

type Kind = Pick<PatternOccurrence, 'name' | 'sentiment'>;

/** Every pattern and sentiment once, in the order given. */
const kindsOf = (found: readonly Kind[]): Kind[] =>
  found.filter(
    ({ name, sentiment }, n) =>
      n === found.findIndex((each) => each.name === name && each.sentiment === sentiment),
  );

/** The change of the close over the next candles, in percent, for every candle that has them. */
function returnsAfter(close: Float64Array): Float64Array {
  const returns = new Float64Array(close.length - followCandles);
  for (let i = 0; i < returns.length; i++) returns[i] = (close[i + followCandles] / close[i] - 1) * 100;
  return returns;
}

function baseRateOf(returns: Float64Array): BaseRate {
  let [sum, up, down] = [0, 0, 0];
  for (let i = 0; i < returns.length; i++) {
    sum += returns[i];
    up += Number(returns[i] > 0);
    down += Number(returns[i] < 0);
  }
  const count = returns.length;
  return { count, meanReturn: sum / count, upPercent: (up / count) * 100, downPercent: (down / count) * 100 };
}

function historyOf(
  { name, sentiment }: Kind,
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
