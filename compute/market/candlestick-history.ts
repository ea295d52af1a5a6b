import { Bars } from '../patterns/rules/bars.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import {
  computePattern,
  sentimentOf,
  type Pattern,
  type PatternValue,
  type Sentiment,
} from '../model/pattern.js';
import { patterns } from '../patterns/index.js';
import type { SeriesQuestion } from '../task.js';
import {
  baseRateOf,
  followPattern,
  returnsAfter,
  type BaseRate,
  type PatternHistory,
} from './pattern-history.js';
import { readAt, type ReadAt } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** How many closed candles the reading needs at least. */
export const patternCandles = 30;

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

/** Candlestick patterns on the last candles, and how each has fared on this pair. Throws `not_enough_history`. */
export function reportCandlesticks(
  question: SeriesQuestion<CandlestickParams>,
  scratch = new ScratchBuffers(),
): CandlestickReport {
  requireCandles('a reading of candlestick patterns', question, patternCandles);
  const { candles, params } = question;
  const bars = new Bars(candles, scratch);
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
    histories: kindsOf(found).map((kind) => followPattern(kind, bars, returns, base)),
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
