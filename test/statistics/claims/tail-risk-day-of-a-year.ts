import { tailRiskClaim } from '../tail-risk-claim.js';

/** A short past, which may not show the clusters that are usual. */
export const tailRiskDayOfAYear = tailRiskClaim('a day, from a year', 1, 366);
