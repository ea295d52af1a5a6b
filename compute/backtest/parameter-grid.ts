import type { ParamSpec } from '../indicator.js';
import type { Strategy } from '../strategy.js';

/** The values of each parameter that are to be tried, each with each of the others. */
export type ParameterGrid = Readonly<Record<string, readonly number[]>>;

/** How many combinations a grid has. */
export const gridSize = (grid: ParameterGrid): number =>
  Object.values(grid).reduce((size, values) => size * values.length, 1);

/** Combination number `index` of a grid, from 0 on; the last parameter changes fastest. */
export function combinationAt(grid: ParameterGrid, index: number): Record<string, number> {
  const combination: Record<string, number> = {};
  let rest = index;
  for (const [name, values] of Object.entries(grid).reverse()) {
    combination[name] = values[rest % values.length];
    rest = Math.floor(rest / values.length);
  }
  return combination;
}

/** Combinations `from` up to, not including, `to` that make sense to the strategy. */
export function combinationsOf(
  strategy: Strategy<string>,
  grid: ParameterGrid,
  from = 0,
  to = gridSize(grid),
): Record<string, number>[] {
  const all = Array.from({ length: to - from }, (_, n) => combinationAt(grid, from + n));
  return all.filter((params) => strategy.allows?.(params) ?? true);
}

/** The default of each parameter by these factors: half to double in equal ratios. */
const factors = [0.5, Math.SQRT1_2, 1, Math.SQRT2, 2];

/** A grid around the defaults of a strategy: up to five values a parameter, from half to double, within its range. */
export function gridAround(specs: Readonly<Record<string, ParamSpec>>): ParameterGrid {
  const values = ({ min, max, step = 1, default: middle }: ParamSpec) => {
    const near = factors.map((factor) => Math.round((middle * factor) / step) * step);
    const tidy = near.map((value) => Number(Math.min(max, Math.max(min, value)).toPrecision(12)));
    return [...new Set(tidy)];
  };
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, values(spec)]));
}
