import { paramsOf, type ParamSpec } from '../model/indicator.js';
import { AppError } from '../model/errors.js';

/**
 * Every parameter of an indicator: as given, or by default. Throws `invalid_input` for one that it does not have, or
 * that its metadata does not allow; `field` is the path of what was given, which the error completes.
 */
export function checkIndicatorParams(
  indicator: string,
  specs: Readonly<Record<string, ParamSpec>>,
  given: Readonly<Record<string, unknown>>,
  field: string,
): Record<string, number> {
  for (const [name, value] of Object.entries(given)) {
    const fault = faultOf(indicator, specs, name, value);
    if (fault) throw new AppError('invalid_input', fault, { details: { field: `${field}.${name}` } });
  }
  return paramsOf(specs, given as Record<string, number>);
}

function faultOf(
  indicator: string,
  specs: Readonly<Record<string, ParamSpec>>,
  name: string,
  value: unknown,
): string | null {
  if (!Object.hasOwn(specs, name)) {
    const known = Object.keys(specs).join(', ') || 'none';
    return `"${indicator}" has no parameter "${name}"; it has ${known}`;
  }
  const { min, max, step = 1 } = specs[name];
  const what = `"${name}" of "${indicator}" must be a ${step === 1 ? 'whole ' : ''}number from ${min} to ${max}`;
  const asked = step === 1 ? what : `${what} in steps of ${step}`;
  const fits = typeof value === 'number' && value >= min && value <= max && isWhole(value / step);
  return fits ? null : `${asked}, found ${typeof value === 'number' ? value : JSON.stringify(value)}`;
}

/** Steps such as 0.1 are no binary fractions: their multiples miss by rounding. */
const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-6;
