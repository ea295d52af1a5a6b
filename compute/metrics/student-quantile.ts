import { normalReach95 as z } from './normal.js';

/** Student's 97.5 % quantiles for 1 to 4 degrees of freedom, where the expansion below is not yet close. */
const fewDegrees = [12.706204736432095, 4.302652729749464, 3.182446305284263, 2.7764451051977987];

/**
 * The 97.5 % quantile of Student's distribution, by the expansion in 1 / degrees of Abramowitz and Stegun 26.7.5;
 * right to 3e-4 from 5 degrees on, to 1e-6 from 20 on.
 */
export function studentQuantile(degrees: number): number {
  if (degrees <= fewDegrees.length) return fewDegrees[degrees - 1];
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160;
  return z + g1 / degrees + g2 / degrees ** 2 + g3 / degrees ** 3 + g4 / degrees ** 4;
}
