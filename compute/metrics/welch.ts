import { mean } from './returns.js';
import { standardDeviation } from './standard-deviation.js';
import { studentP } from './student.js';

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
