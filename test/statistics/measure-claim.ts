import { proportionInterval, type ProportionInterval } from '../../compute/metrics/mean-interval.js';
import type { Candles } from '../../compute/model/candles.js';
import type { MarketProcess } from '../support/processes/market-process.js';
import type { Claim, IntervalClaim } from './claim.js';

/** How a claim fares on one process. */
export interface Measured {
  claim: Claim;
  process: MarketProcess;
  /** Series without an answer. */
  silent: number;
  /** The share of answers that cover the truth, or that flag the series, with Wilson's interval. */
  rate: ProportionInterval;
}

/** Seeds of one set share nothing with those of another: set 1 uses 1,000,000 and above. */
const seedsPerSet = 1_000_000;

/** Draws so many series of a process and counts what the claim says of them. */
export function measureClaim(
  claim: Claim,
  process: MarketProcess,
  { series, seedSet }: { series: number; seedSet: number },
): Measured {
  const judge: Judge = claim.says === 'interval' ? coverageOf(claim, process) : claim.flags;
  let [hits, answered] = [0, 0];
  for (let n = 0; n < series; n++) {
    const seed = seedSet * seedsPerSet + n;
    const { count, interval } = claim;
    const judged = judge(process.draw({ count, interval, seed }), seed);
    if (judged === null) continue;
    answered++;
    hits += Number(judged);
  }
  return { claim, process, silent: series - answered, rate: proportionInterval(hits, answered) };
}

/** Whether an answer about a series is right, or flags it; null without an answer. */
type Judge = (series: readonly Candles[], seed: number) => boolean | null;

const coverageOf = ({ estimate, truth }: IntervalClaim, process: MarketProcess): Judge => {
  const right = truth(process);
  return (candles, seed) => {
    const ends = estimate(candles, seed);
    return ends && ends.low <= right && right <= ends.high;
  };
};
