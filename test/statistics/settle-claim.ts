import type { MarketProcess } from '../support/processes/market-process.js';
import { verdictOf } from './bounds.js';
import type { Claim } from './claim.js';
import { measureClaim, type Measured } from './measure-claim.js';

/** How many times as many series decide where the first ones do not. */
const more = 5;

/**
 * Measures a claim on so many series; where the rate is out of its bounds and chance may explain it, on five times as many, the
 * first among them. So a rate at its bound is not judged by luck, and all others cost no more.
 */
export function settleClaim(
  claim: Claim,
  process: MarketProcess,
  { series, seedSet }: { series: number; seedSet: number },
): Measured {
  const first = measureClaim(claim, process, { series, seedSet });
  return verdictOf(first) === 'unsettled'
    ? measureClaim(claim, process, { series: series * more, seedSet })
    : first;
}
