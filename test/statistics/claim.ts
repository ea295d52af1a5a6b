import type { Candles } from '../../compute/model/candles.js';
import type { Interval } from '../../compute/model/interval.js';
import type { MarketProcess } from '../support/processes/market-process.js';

/** The ends of an interval. */
export interface Ends {
  low: number;
  high: number;
}

/** The interval with these ends; null where one is missing. */
export const endsOf = (low: number | null | undefined, high: number | null | undefined): Ends | null =>
  typeof low === 'number' && typeof high === 'number' ? { low, high } : null;

interface ClaimBase {
  /** What makes the claim, as `target-probability: share`. Unique. */
  name: string;
  /** The markets on which it is measured. */
  processes: readonly MarketProcess[];
  /** The length of each series. */
  count: number;
  interval: Interval;
  /** Series per process in the tests, which have a few seconds for all claims. */
  quickSeries: number;
  /** The least share of series about which the answer has to say something; 0.5 unless given. */
  leastAnswered?: number;
}

/** An interval that covers the truth in a nominal share of all series. */
export interface IntervalClaim extends ClaimBase {
  says: 'interval';
  /** The share that the interval promises; 0.95 unless given. */
  nominal?: number;
  /** Why the interval may cover more than it promises; without it that is a fault as well. */
  wide?: string;
  /** The interval from one series; null where the answer gives none. */
  estimate: (series: readonly Candles[], seed: number) => Ends | null;
  /** What the interval is about, in its unit. Computed once for a process. */
  truth: (process: MarketProcess) => number;
}

/**
 * A verdict about one series: on `falseAlarm` processes there is nothing to find, on `detection` processes there is.
 * A whole report is one verdict: it is flagged where any of its parts is.
 */
export interface VerdictClaim extends ClaimBase {
  says: 'falseAlarm' | 'detection';
  /** The least share of series in which a detection finds what is there; 0.8 unless given. */
  leastFound?: number;
  /** Whether the answer flags the series; null where it gives no verdict. */
  flags: (series: readonly Candles[], seed: number) => boolean | null;
}

export type Claim = IntervalClaim | VerdictClaim;
