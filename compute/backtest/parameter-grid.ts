import type { ParamSpec } from '../model/indicator.js';
import { fieldError } from '../model/errors.js';
import { createRandom } from '../model/random.js';
import type { Strategy } from '../model/strategy.js';

/** What has parameters of which combinations are tried. */
export type Gridded = Pick<Strategy<string>, 'name' | 'params' | 'allows' | 'allowed'>;

/** The values of each parameter to try, in all combinations. */
export type ParameterGrid = Readonly<Record<string, readonly number[]>>;

/** The number of combinations of a grid. */
export const gridSize = (grid: ParameterGrid): number =>
  Object.values(grid).reduce((size, values) => size * values.length, 1);

/** Combination number `index` of a grid, counted from 0; the last parameter changes fastest. */
export function combinationAt(grid: ParameterGrid, index: number): Record<string, number> {
  let rest = index;
  const entries = Object.entries(grid)
    .toReversed()
    .map(([name, values]): [string, number] => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    });
  return Object.fromEntries(entries.reverse());
}

/** The combinations from `from` up to, not including, `to` that the strategy allows. */
export function combinationsOf(
  strategy: Gridded,
  grid: ParameterGrid,
  from = 0,
  to = gridSize(grid),
): Record<string, number>[] {
  const all = Array.from({ length: to - from }, (_, n) => combinationAt(grid, from + n));
  return all.filter((params) => strategy.allows?.(params) ?? true);
}

/** The defaults are multiplied by these factors: half to double in equal ratios. */
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

/**
 * The grid with the default of every parameter that it leaves out, and each value once: a repeated value would be tried, and
 * counted as a trial, again. Throws `invalid_input` for a parameter that the
 * strategy lacks, a value outside of its range or between its steps, for more combinations than `most`, and where the
 * strategy allows none of them.
 */
export function completeGrid(strategy: Gridded, grid: ParameterGrid, most: number): ParameterGrid {
  for (const [name, values] of Object.entries(grid)) {
    if (!Object.hasOwn(strategy.params, name)) {
      const known = Object.keys(strategy.params).join(', ') || 'none';
      throw fieldError('grid', `${strategy.name} has no parameter "${name}"; it has ${known}`);
    }
    if (values.length === 0) throw fieldError('grid', `the grid names no value of "${name}"`);
    for (const value of values) checkValue(name, value, strategy.params[name]);
  }
  const defaults = Object.entries(strategy.params).map(([name, spec]) => [name, [spec.default]]);
  const given = Object.entries(grid).map(([name, values]) => [name, [...new Set(values)]]);
  const complete = Object.fromEntries([...defaults, ...given]) as ParameterGrid;
  const size = gridSize(complete);
  if (size > most) throw fieldError('grid', `at most ${most} combinations can be tried, found ${size}`);
  if (!isAnyAllowed(strategy, complete, size)) {
    const why = strategy.allowed ?? 'these values do not go together';
    throw fieldError('grid', `${strategy.name}: ${why}, found no such combination in the grid`);
  }
  return complete;
}

/** Combinations whose parameters are drawn evenly from their steps, equal ones once. Throws `invalid_input` without parameters. */
export function randomCombinations(
  { name, params }: Gridded,
  samples: number,
  seed: number,
): Record<string, number>[] {
  const specs = Object.entries(params);
  if (specs.length === 0) throw fieldError('grid', `${name} has no parameters to draw`);
  const { unit } = createRandom(seed);
  const drawn = Array.from({ length: samples }, () => {
    const values = specs.map(([param, { min, max, step = 1 }]): [string, number] => {
      const steps = Math.floor((max - min) / step + 1e-9) + 1;
      return [param, Number((min + step * Math.floor(unit() * steps)).toPrecision(12))];
    });
    return Object.fromEntries(values);
  });
  return [
    ...new Map(drawn.map((each): [string, Record<string, number>] => [JSON.stringify(each), each])).values(),
  ];
}

/** Whether the strategy allows any combination. The search stops at the first, so it is short for most grids. */
function isAnyAllowed({ allows }: Gridded, grid: ParameterGrid, size: number): boolean {
  if (!allows) return true;
  for (let index = 0; index < size; index++) if (allows(combinationAt(grid, index))) return true;
  return false;
}

function checkValue(name: string, value: number, { min, max, step = 1 }: ParamSpec): void {
  const steps = (value - min) / step;
  const onStep = Math.abs(steps - Math.round(steps)) < 1e-9;
  if (value >= min && value <= max && onStep) return;
  throw fieldError(
    'grid',
    `"${name}" must lie between ${min} and ${max} in steps of ${step}, found ${value}`,
  );
}
