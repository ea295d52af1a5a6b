import { incompleteBeta } from './incomplete-beta.js';
import { normalCdf, normalReach95 as z } from './normal.js';
import { mean } from './returns.js';
import { standardDeviation } from './moments.js';

/**
 * The two-sided p-value of a t statistic; the degrees of freedom are any positive number. Computed by the
 * regularised incomplete beta function.
 */
export function studentP(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? NaN : 0;
  if (degrees > 1e9) return 2 * normalCdf(-Math.abs(t));
  const whole = degrees + t * t;
  return incompleteBeta(degrees / whole, (t * t) / whole, degrees / 2, 0.5);
}

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

/** A test of whether two samples have the same mean. */
export interface WelchTest {
  t: number;
  /** Degrees of freedom after Satterthwaite. */
  degrees: number;
  /** Two-sided p-value. */
  p: number;
  /**
   * The same with as many degrees as the smaller sample has values, less one, which is never too small (Scheffe, Practical Solutions
   * of the Behrens-Fisher Problem, 1970). Of few values Satterthwaite's degrees are too many: with 12 tests of 3 values against 33, a
   * quarter of reports on noise flag one.
   */
  safeP: number;
}

/**
 * The t-test of two independent samples with unequal variances. Welch, The Generalization of Student's Problem, 1947.
 * Null with fewer than two values in a sample, or where neither sample varies.
 */
export function welchTest(one: Float64Array, other: Float64Array): WelchTest | null {
  if (one.length < 2 || other.length < 2) return null;
  const [a, b] = [one, other].map((values) => standardDeviation(values) ** 2 / values.length);
  if (a + b === 0) return null;
  const t = (mean(one) - mean(other)) / Math.sqrt(a + b);
  const degrees = (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1));
  const fewest = Math.min(one.length, other.length) - 1;
  return { t, degrees, p: studentP(t, degrees), safeP: studentP(t, Math.min(degrees, fewest)) };
}
