import { normalCdf } from './normal.js';

/** The deterministic term of a Dickey-Fuller regression: a constant, or none. */
export type UnitRootForm = 'constant' | 'none';

/** Coefficients of powers of the statistic, lowest first, below and above `turn`; p is 0 below `min`, 1 above `max`. */
interface Surface {
  min: number;
  turn: number;
  max: number;
  below: readonly number[];
  above: readonly number[];
}

const surfaces = {
  'none 1': {
    min: -19.04,
    turn: -1.04,
    max: Infinity,
    below: [0.6344, 1.2378, 0.032496],
    above: [0.4797, 0.93557, -0.06999, 0.033066],
  },
  'constant 1': {
    min: -18.83,
    turn: -1.61,
    max: 2.74,
    below: [2.1659, 1.4412, 0.038269],
    above: [1.7339, 0.93202, -0.12745, -0.010368],
  },
  'constant 2': {
    min: -18.86,
    turn: -2.62,
    max: 0.92,
    below: [2.92, 1.5012, 0.039796],
    above: [2.1945, 0.64695, -0.29198, -0.042377],
  },
} as const satisfies Record<string, Surface>;

/**
 * The asymptotic p-value of a Dickey-Fuller statistic (`series` 1), or of Engle and Granger's for two series with a
 * constant in the regression of one on the other (`series` 2). The response surfaces of MacKinnon, Approximate
 * Asymptotic Distribution Functions for Unit-Root and Cointegration Tests, JBES 12, 1994, tables 3 and 4; below 1e-3
 * only the order of magnitude is to be trusted.
 */
export function mackinnonP(statistic: number, form: 'constant', series: 1 | 2): number;
export function mackinnonP(statistic: number, form: UnitRootForm, series: 1): number;
export function mackinnonP(statistic: number, form: UnitRootForm, series: 1 | 2): number {
  const surface: Surface = form === 'none' ? surfaces['none 1'] : surfaces[`constant ${series}`];
  if (statistic > surface.max) return 1;
  if (statistic < surface.min) return 0;
  const powers = statistic <= surface.turn ? surface.below : surface.above;
  return normalCdf(powers.reduceRight((sum, coefficient) => sum * statistic + coefficient, 0));
}
