import { incompleteBeta } from './incomplete-beta.js';
import { normalCdf } from './normal.js';

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
