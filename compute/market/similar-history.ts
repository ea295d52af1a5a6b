import { defineAnalysis } from '../analysis.js';
import { binomialTest } from '../metrics/binomial-test.js';
import { holmOrNull, significance } from '../metrics/holm.js';
import { returnDistribution, returnDistributionField } from '../metrics/return-distribution.js';
import type { Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { nullReason } from '../model/null-reason.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { shapeCorrelations, shapeOf } from './shape.js';

/** The numbers of candles after which returns are measured. */
export const similarHorizons = [5, 10, 20] as const;

const longestHorizon = Math.max(...similarHorizons);

const similarHistoryParams = {
  window: field.integer('length of the shape', { min: 10, max: 120, default: 30, unit: 'candles' }),
  matches: field.integer('most matches', { min: 1, max: 20, default: 10 }),
};

export type SimilarHistoryParams = Values<typeof similarHistoryParams>;

const horizon = field.integer('candles after the end of a window', { unit: 'candles' });

const aftermath = field.object('the return after the window', {
  candles: horizon,
  percent: field.nullable(
    field.number('return; null where candles are missing or the history ends before', { unit: 'percent' }),
  ),
});

const similarWindow = field.object('an earlier window of similar shape', {
  from: field.time('open time of its first candle'),
  to: field.time('open time of its last candle'),
  correlation: field.number("Pearson's correlation of its log closes with those of the query, -1 to 1"),
  distance: field.number(
    'Euclidean distance after both are scaled to mean 0 and variance 1: sqrt(2 N (1 - correlation))',
  ),
  returnPercent: field.number('return within the window', { unit: 'percent' }),
  followed: field.list('the returns after it', aftermath),
});

export type SimilarWindow = Value<typeof similarWindow>;

const aftermathComparison = field.object('returns after the matches against the base rate', {
  candles: horizon,
  matches: returnDistributionField('returns after the matches'),
  base: returnDistributionField('returns after every window: the base rate'),
  differencePoints: field.nullable(
    field.number('mean after the matches less mean after all windows', { unit: 'points' }),
  ),
  pValue: field.nullable(
    field.number(
      'two-sided p-value of the share of rises after the matches against the base rate (exact binomial test); null without a match',
    ),
  ),
  adjustedP: field.nullable(field.number('p-value corrected for the number of horizons (Holm)')),
  isDifferent: field.flag('whether the corrected p-value is below 0.05'),
  reason: nullReason,
});

export type AftermathComparison = Value<typeof aftermathComparison>;

const similarHistoryOutput = field.object('earlier windows of similar shape', {
  query: field.object('the last candles, which are compared with the past', {
    from: field.time('open time of the first candle'),
    to: field.time('open time of the last candle'),
    returnPercent: field.number('return within the window', { unit: 'percent' }),
  }),
  compared: field.count('earlier windows compared'),
  matches: field.list('the most similar first', similarWindow),
  aftermath: field.list('one for each horizon', aftermathComparison),
  notes: field.list('what to know about the figures', field.text('a sentence')),
});

export type SimilarHistory = Value<typeof similarHistoryOutput>;

export const similarHistory = defineAnalysis({
  name: 'similar-history',
  title: 'Similar history',
  summary:
    'Past windows of an asset most similar in shape to its last candles, and the returns that followed against the base rate.',
  needs: 'series',
  params: similarHistoryParams,
  output: similarHistoryOutput,
  scope: 'public',
  tool: {
    name: 'find_similar_history',
    headline: ({ asset, interval, matches, compared, aftermath }) =>
      `${matches.length} windows of ${asset} on ${interval} look most like now, of ${compared} compared; what followed differs from the base rate at ${aftermath.filter(({ isDifferent }) => isDifferent).length} of ${aftermath.length} horizons.`,
  },
  cost: 2,
  run: ({ candles, interval, params }) => findSimilarHistory(candles, interval, params),
});

/**
 * The past windows whose closes are most similar in shape to the last `window`, whatever the price level and the size of
 * the moves, and the returns that followed. Shapes are log closes scaled to mean 0 and variance 1 (Goldin and Kanellakis,
 * On Similarity Queries for Time-Series Data, 1995). Windows with missing candles or without movement are left out. No
 * match shares a candle with the query. Two matches start at least max(window, 20) candles apart, so neither they nor the
 * returns after them overlap. Throws `not_enough_history` with fewer candles than two windows.
 */
export function findSimilarHistory(
  { time, close }: Candles,
  interval: Interval,
  { window, matches }: SimilarHistoryParams,
): SimilarHistory {
  const { length } = close;
  if (length < 2 * window)
    throw new AppError(
      'not_enough_history',
      `a search for ${window} candles needs ${2 * window} of them, found ${length}`,
      { details: { needed: 2 * window, found: length } },
    );
  const series: Series = { time, close, candleMs: intervalMs(interval), window };
  const candidates = contiguousStarts(series);
  const scores = scoreWindows(series, candidates);
  const starts = pickBest(scores, matches, Math.max(window, longestHorizon));
  const query = length - window;
  return {
    query: {
      from: time[query],
      to: time[length - 1],
      returnPercent: percentBetween(close, query, length - 1),
    },
    compared: scores.reduce((count, score) => count + Number(score > -Infinity), 0),
    matches: starts.map((start) => describeMatch(series, start, scores[start])),
    aftermath: judgeAftermath(
      similarHorizons.map((candles) => compareAftermath(series, starts, candidates, candles)),
    ),
    notes: notesOf(series),
  };
}

interface Series {
  time: Float64Array;
  close: Float64Array;
  candleMs: number;
  window: number;
}

const percentBetween = (close: Float64Array, from: number, to: number): number =>
  (close[to] / close[from] - 1) * 100;

const hasGap = ({ time, candleMs }: Series, from: number, to: number): boolean =>
  time[to] - time[from] !== (to - from) * candleMs;

/** The correlation of each window with the query, by its start index; -Infinity for windows that are left out. */
function scoreWindows({ close, window }: Series, candidates: readonly number[]): Float64Array {
  const scores = new Float64Array(close.length - 2 * window + 1).fill(-Infinity);
  const log = close.map(Math.log);
  const shape = shapeOf(log.subarray(log.length - window));
  if (!shape) return scores;
  const all = shapeCorrelations(log, shape, scores.length);
  for (const start of candidates) scores[start] = all[start];
  return scores;
}

/** The indexes of the highest scores, highest first, the earlier of equals first; any two are at least `apart`. */
function pickBest(scores: Float64Array, most: number, apart: number): number[] {
  const left = scores.slice();
  const picked: number[] = [];
  while (picked.length < most) {
    let best = 0;
    for (let i = 1; i < left.length; i++) if (left[i] > left[best]) best = i;
    if (left[best] === -Infinity) break;
    picked.push(best);
    left.fill(-Infinity, Math.max(0, best - apart + 1), best + apart);
  }
  return picked;
}

function describeMatch(series: Series, start: number, correlation: number): SimilarWindow {
  const { time, close, window } = series;
  const end = start + window - 1;
  return {
    from: time[start],
    to: time[end],
    correlation,
    distance: Math.sqrt(2 * window * (1 - correlation)),
    returnPercent: percentBetween(close, start, end),
    followed: similarHorizons.map((candles) => ({ candles, percent: percentAfter(series, start, candles) })),
  };
}

function percentAfter(series: Series, start: number, candles: number): number | null {
  const end = start + series.window - 1;
  if (end + candles >= series.close.length || hasGap(series, end, end + candles)) return null;
  return percentBetween(series.close, end, end + candles);
}

/** The start of each window without gaps that shares no candle with the query, whether it moves or not. */
function contiguousStarts(series: Series): number[] {
  const { close, window } = series;
  const starts: number[] = [];
  for (let start = 0; start <= close.length - 2 * window; start++)
    if (!hasGap(series, start, start + window - 1)) starts.push(start);
  return starts;
}

function compareAftermath(
  series: Series,
  starts: readonly number[],
  candidates: readonly number[],
  candles: number,
): TestedAftermath {
  const after = (some: readonly number[]) =>
    Float64Array.from(
      some.map((start) => percentAfter(series, start, candles)).filter((percent) => percent !== null),
    );
  const [found, all] = [after(starts), after(candidates)];
  const matches = returnDistribution(found);
  const base = returnDistribution(all, Math.ceil(all.length / candles));
  const rises = found.filter((percent) => percent > 0).length;
  const pValue = base.upPercent === null ? null : binomialTest(rises, found.length, base.upPercent / 100);
  const differencePoints = matches.count === 0 ? null : matches.meanPercent! - base.meanPercent!;
  const reason = pValue === null ? 'no match has a return so many candles later' : null;
  return { candles, matches, base, differencePoints, pValue, reason };
}

type TestedAftermath = Omit<AftermathComparison, 'adjustedP' | 'isDifferent'>;

/** Corrects the p-values for the number of horizons. */
function judgeAftermath(tested: readonly TestedAftermath[]): AftermathComparison[] {
  const adjusted = holmOrNull(tested.map(({ pValue }) => pValue));
  return tested.map((each, n) => {
    const adjustedP = adjusted[n];
    return { ...each, adjustedP, isDifferent: adjustedP !== null && adjustedP < significance };
  });
}

function notesOf(series: Series): string[] {
  const { close, window } = series;
  const from = close.length - window;
  const notes: string[] = [];
  if (hasGap(series, from, close.length - 1))
    notes.push(`candles are missing within the last ${window}: their shape is that of the rows present`);
  if (!shapeOf(close.subarray(from).map(Math.log)))
    notes.push(`the last ${window} closes do not move: they have no shape to compare`);
  return notes;
}
