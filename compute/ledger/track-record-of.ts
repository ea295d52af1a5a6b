import {
  leastForInterval,
  tooFewForInterval,
  type ResultsRecord,
  type TradedRecord,
  type TrackRecord,
} from '../model/track-record.js';
import { quantileOfUnsorted } from '../metrics/quantile.js';
import { skewedMeanInterval } from '../metrics/mean-interval.js';

/** The result of a follower of a signal, or the median of several; percent means 5 for 5 %. */
export interface FollowerFigures {
  readonly returnPercent: number | null;
  readonly r: number | null;
  readonly entrySlippagePercent: number | null;
  readonly deliverySlippagePercent: number | null;
}

/** The result of a signal, and whether a loss in it is still open. */
export interface SignalFigures extends FollowerFigures {
  readonly isOpen: boolean;
}

/** A signal of a channel as its record counts it. */
export interface RecordedSignal {
  readonly id: string;
  readonly isCancelled: boolean;
  /** Whether the time for its entry is over and no execution of it goes on. */
  readonly isPast: boolean;
}

/** The median results of the followers of a signal. A figure that no follower has is null. */
export const medianResult = (followers: readonly FollowerFigures[]): FollowerFigures => ({
  returnPercent: medianOf(followers.map(({ returnPercent }) => returnPercent)),
  r: medianOf(followers.map(({ r }) => r)),
  entrySlippagePercent: medianOf(followers.map((each) => each.entrySlippagePercent)),
  deliverySlippagePercent: medianOf(followers.map((each) => each.deliverySlippagePercent)),
});

/** The results of signals for followers of one kind. */
export interface KnownResults {
  readonly followers: number;
  /** By the id of the signal, in the order in which they closed. */
  readonly outcomes: ReadonlyMap<string, SignalFigures>;
}

/** The results that the levels of signals would have had, in the order in which they ended. */
export interface ReferenceResults {
  readonly outcomes: readonly Pick<SignalFigures, 'returnPercent' | 'r' | 'isOpen'>[];
  readonly unpriced: number;
}

/** The record of a channel from what its signals brought followers with money, those on paper, and by market prices alone. */
export function trackRecordOf(
  signals: readonly RecordedSignal[],
  live: KnownResults,
  paper: KnownResults,
  reference: ReferenceResults,
): TrackRecord {
  const counted = new Set(signals.map(({ id }) => id));
  const isTraded = (id: string) => live.outcomes.has(id) || paper.outcomes.has(id);
  return {
    signals: signals.length,
    cancelled: signals.filter(({ isCancelled }) => isCancelled).length,
    expired: signals.filter(({ id, isCancelled, isPast }) => isPast && !isCancelled && !isTraded(id)).length,
    ...tradedRecord(counted, live),
    paper: tradedRecord(counted, paper),
    reference: { ...resultsRecord(reference.outcomes), unpriced: reference.unpriced },
  };
}

function tradedRecord(counted: ReadonlySet<string>, { followers, outcomes }: KnownResults): TradedRecord {
  const traded = [...outcomes].filter(([id]) => counted.has(id)).map(([, outcome]) => outcome);
  return {
    followers,
    ...resultsRecord(traded),
    medianSlippagePercent: medianOf(traded.map((each) => each.entrySlippagePercent)),
    medianDeliverySlippagePercent: medianOf(traded.map((each) => each.deliverySlippagePercent)),
  };
}

function resultsRecord(traded: ReferenceResults['outcomes']): ResultsRecord {
  const hits = traded.filter(({ returnPercent }) => (returnPercent ?? 0) > 0).length;
  const multiples = traded.flatMap(({ r }) => (r === null ? [] : [r]));
  return {
    traded: traded.length,
    openLosers: traded.filter(({ isOpen }) => isOpen).length,
    hitRatePercent: traded.length === 0 ? null : (100 * hits) / traded.length,
    expectancyR: multiples.length === 0 ? null : sum(multiples) / multiples.length,
    expectancyInterval: expectancyInterval(multiples),
    maxDrawdownR: multiples.length === 0 ? null : deepestFall(multiples),
  };
}

/** The 95 % interval of the mean of R multiples, which are skewed: losses end at a stop, gains do not. */
function expectancyInterval(multiples: readonly number[]): ResultsRecord['expectancyInterval'] {
  if (multiples.length < leastForInterval) return tooFewForInterval(multiples.length);
  const { low, high, reason } = skewedMeanInterval(multiples);
  return { low, high, reason };
}

function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : quantileOfUnsorted(Float64Array.from(known), 0.5);
}

/** How far the running sum falls below its highest value so far, 0 at the start included. */
function deepestFall(steps: readonly number[]): number {
  let [total, peak, fall] = [0, 0, 0];
  for (const step of steps) {
    total += step;
    peak = Math.max(peak, total);
    fall = Math.max(fall, peak - total);
  }
  return fall;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
