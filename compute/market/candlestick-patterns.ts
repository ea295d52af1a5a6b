import { defineAnalysis } from '../analysis.js';
import { countOf } from '../model/count-of.js';
import { Bars } from '../patterns/rules/bars.js';
import { field, type Value, type Values } from '../model/field.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { computePattern, sentimentOf, type Pattern } from '../model/pattern.js';
import { patterns } from '../patterns/index.js';
import type { SeriesQuestion } from '../task.js';
import { candlesAgo } from './last-cross.js';
import {
  baseRateField,
  baseRateOf,
  followPatterns,
  patternFields,
  patternHistoryField,
  returnsAfter,
} from './pattern-history.js';
import { readAt, readAtFields } from './read-at.js';
import { requireCandles } from './require-candles.js';

/** The closed candles that the reading needs. */
const patternCandles = 30;

const lookback = field.count('candles on which patterns are looked for, the last ones', {
  min: 1,
  max: 100,
  default: 20,
  unit: 'candles',
});

const candlestickParams = { lookback };

export type CandlestickParams = Values<typeof candlestickParams>;

const patternOccurrence = field.object('a pattern that ends on a candle', {
  ...patternFields,
  value: field.integer(
    'as of TA-Lib: 100, 80 where one end of two bodies is equal, 200 where an earlier signal is confirmed; negative is bearish',
    { min: -200, max: 200 },
  ),
  candles: field.count('candles that the pattern covers', { unit: 'candles' }),
  time: field.time('open time of its last candle'),
  close: field.number('close of its last candle', { unit: 'quote' }),
  candlesAgo,
});

export type PatternOccurrence = Value<typeof patternOccurrence>;

const candlestickOutput = field.object('candlestick patterns and what followed them', {
  ...readAtFields,
  lookback,
  patterns: field.list('the newest first; on the same candle the longer pattern first', patternOccurrence),
  histories: field.list(
    'what followed each of these patterns on this pair so far, in the same order',
    patternHistoryField,
  ),
  base: baseRateField,
});

export type CandlestickReport = Value<typeof candlestickOutput>;

export const candlestickPatterns = defineAnalysis({
  name: 'candlestick-patterns',
  title: 'Candlestick patterns',
  summary:
    'Candlestick patterns on the last closed candles of an asset with their sentiment, and how often price followed each pattern so far.',
  needs: 'series',
  params: candlestickParams,
  output: candlestickOutput,
  scope: 'public',
  tool: {
    name: 'get_candlestick_patterns',
    headline: ({ asset, interval, patterns, lookback }) =>
      `${candleWords(patterns)} among the last ${lookback} ${interval} candles of ${asset}${latestWords(patterns)}.`,
  },
  cost: 2,
  run: (question, scratch) => reportCandlesticks(question, scratch),
});

type Named = Pick<PatternOccurrence, 'candlesAgo' | 'pattern' | 'sentiment'>;

function candleWords(found: readonly Named[]): string {
  const candles = new Set(found.map(({ candlesAgo }) => candlesAgo)).size;
  return candles === 0
    ? 'No candle ends a candlestick pattern'
    : `${countOf(candles, 'candle ends', 'candles end')} ${countOf(found.length, 'candlestick pattern')}`;
}

/** All patterns of the latest candle that has some, which is one event, not several. */
function latestWords(found: readonly Named[]): string {
  if (found.length === 0) return '';
  const [{ candlesAgo: age }] = found;
  const ofLatest = found.filter(({ candlesAgo }) => candlesAgo === age);
  const names = ['bullish', 'bearish', 'neutral'].flatMap((side) =>
    ofLatest
      .filter(({ sentiment }) => sentiment === side)
      .map(({ pattern, sentiment }) => `${pattern} (${sentiment})`),
  );
  const isMixed = ['bullish', 'bearish'].every((side) =>
    ofLatest.some(({ sentiment }) => sentiment === side),
  );
  const when = age === 0 ? 'the last candle' : `${countOf(age, 'candle')} ago`;
  return `; the latest, ${when}${isMixed ? ', reads both ways' : ''}: ${names.join(', ')}`;
}

/** Candlestick patterns on the last candles, and what followed each on this pair. Throws `not_enough_history`. */
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
    histories: followPatterns(kindsOf(found), bars, returns, base),
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
    const value = values[i];
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
