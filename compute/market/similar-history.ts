import { returnDistribution, type ReturnDistribution } from '../metrics/return-distribution.js';
import type { Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs, type Interval } from '../model/interval.js';
import { shapeCorrelations, shapeOf } from './shape.js';

/** After how many candles it is asked what followed. */
export const similarHorizons = [5, 10, 20] as const;

const longestHorizon = Math.max(...similarHorizons);

/** What the close did some candles after a window ended; null where an outage or the end of the data lies within them. */
export interface Aftermath {
  candles: number;
  percent: number | null;
}

/** An earlier window of the same shape. Times in ms, UTC. */
export interface SimilarWindow {
  /** Open times of its first and last candle. */
  from: number;
  to: number;
  /** Pearson's correlation of its log closes with those of the query, -1 to 1. */
  correlation: number;
  /** Euclidean distance of the two, each brought to mean 0 and variance 1: sqrt(2 N (1 - correlation)). */
  distance: number;
  /** Return within the window, and that of the query, tell how large the same shape was. */
  returnPercent: number;
  followed: Aftermath[];
}

/** What followed after so many candles: after the matches, and after every window there was (the base rate). */
export interface AftermathComparison {
  candles: number;
  matches: ReturnDistribution;
  base: ReturnDistribution;
  /** Mean after the matches less mean after all, in percentage points. */
  differencePoints: number | null;
  /** Whether the base rate of rises lies outside the interval of that after the matches. */
  isDifferent: boolean;
}

export interface SimilarHistory {
  /** The last candles, whose like is looked for. Open times in ms, UTC. */
  query: { from: number; to: number; returnPercent: number };
  /** How many earlier windows were compared. */
  compared: number;
  /** Most similar first. */
  matches: SimilarWindow[];
  aftermath: AftermathComparison[];
  notes: string[];
}

/**
 * The windows of the past whose closes had most nearly the shape of the last `window`, whatever the price level and the
 * size of the moves, and what followed them. Shapes are log closes brought to mean 0 and variance 1 (Goldin and
 * Kanellakis, On Similarity Queries for Time-Series Data, 1995). Windows over a gap in time are left out, and so are those
 * that do not move. No match shares a candle with the query; two matches start at least max(window, 20) candles apart, so
 * neither they nor what followed them overlap. Throws `not_enough_history` below two windows of candles.
 */
export function findSimilarHistory(
  { time, close }: Candles,
  interval: Interval,
  { window, matches }: { window: number; matches: number },
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
    aftermath: similarHorizons.map((candles) => compareAftermath(series, starts, candidates, candles)),
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

/** How like the query each window is, by the index it starts at; -Infinity for one that does not count. */
function scoreWindows({ close, window }: Series, candidates: readonly number[]): Float64Array {
  const scores = new Float64Array(close.length - 2 * window + 1).fill(-Infinity);
  const log = close.map(Math.log);
  const shape = shapeOf(log.subarray(log.length - window));
  if (!shape) return scores;
  const all = shapeCorrelations(log, shape, scores.length);
  for (const start of candidates) scores[start] = all[start];
  return scores;
}

/** The indexes of the highest scores, highest first, the earlier of equals, each at least `apart` from all others. */
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

/** Every window that does not share a candle with the query, whether it moves or not. */
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
): AftermathComparison {
  const after = (some: readonly number[]) =>
    Float64Array.from(
      some.map((start) => percentAfter(series, start, candles)).filter((percent) => percent !== null),
    );
  const [found, all] = [after(starts), after(candidates)];
  const matches = returnDistribution(found);
  const base = returnDistribution(all, Math.ceil(all.length / candles));
  const rate = base.upPercent;
  const isDifferent =
    rate !== null && matches.count > 0 && (rate < matches.upLowPercent! || rate > matches.upHighPercent!);
  const differencePoints = matches.count === 0 ? null : matches.meanPercent! - base.meanPercent!;
  return { candles, matches, base, differencePoints, isDifferent };
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
