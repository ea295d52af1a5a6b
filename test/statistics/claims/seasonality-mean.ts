import { endsOf } from '../claim.js';
import { seasonIntervalClaim } from '../season-interval-claim.js';

/** The mean return of a weekday. */
export const seasonalityMean = seasonIntervalClaim('mean return of a weekday', 'weekday', {
  ends: ({ lowPercent, highPercent }) => endsOf(lowPercent, highPercent),
  truth: ({ meanReturn }) => meanReturn,
});
