import { fieldError } from '../model/errors.js';

/** A parameter of a strategy: its default, and the range and steps in which it may be changed. */
export interface RuleParam {
  default: number;
  min: number;
  max: number;
  step: number;
}

/** The parameters of a strategy, by name. */
export type RuleParams = Readonly<Record<string, RuleParam>>;

const most = 10;
const namePattern = /^[a-z][a-zA-Z0-9]{0,19}$/;
const keys = ['default', 'min', 'max', 'step'] as const;
/** Whether a value is an object of JSON. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws for the first key that is not among `known`. */
export function refuseUnknownKeys(value: object, known: readonly string[], at: string): void {
  for (const key of Object.keys(value))
    if (!known.includes(key))
      throw fieldError(`${at}.${key}`, `"${key}" is not known here; expected ${known.join(', ')}`);
}

/** Reads the declared parameters; `used` are the names that the rules refer to. Throws `invalid_input`. */
export function readRuleParams(value: unknown, used: ReadonlySet<string>, at: string): RuleParams {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw fieldError(at, 'expected {name: {default, min, max, step}, ...}');
  const names = Object.keys(value);
  if (names.length > most)
    throw fieldError(at, `a strategy has at most ${most} parameters, found ${names.length}`);
  return Object.fromEntries(
    names.map((name) => {
      const place = `${at}.${name}`;
      if (!namePattern.test(name))
        throw fieldError(
          place,
          `"${name}" must begin with a small letter and consist of at most 20 letters and digits`,
        );
      if (!used.has(name)) throw fieldError(place, `"${name}" is never used`);
      return [name, readParam(value[name], place)];
    }),
  );
}

function readParam(value: unknown, at: string): RuleParam {
  if (!isJsonObject(value)) throw fieldError(at, 'expected {default, min, max, step}');
  for (const key of keys.slice(0, 3))
    if (!(key in value)) throw fieldError(`${at}.${key}`, `"${key}" is missing`);
  for (const key of Object.keys(value)) {
    refuseUnknownKeys({ [key]: 0 }, keys, at);
    if (typeof value[key] !== 'number' || !Number.isFinite(value[key]))
      throw fieldError(`${at}.${key}`, `"${key}" must be a number, found ${JSON.stringify(value[key])}`);
  }
  const param = { step: 1, ...value } as RuleParam;
  const { min, max, step } = param;
  if (max < min) throw fieldError(`${at}.max`, `"max" must be at least ${min}, found ${max}`);
  if (param.default < min || param.default > max)
    throw fieldError(`${at}.default`, `"default" must be from ${min} to ${max}, found ${param.default}`);
  if (step <= 0) throw fieldError(`${at}.step`, `"step" must be above 0, found ${step}`);
  return param;
}

/** Whether a value is one of min, min + step ... max. */
function isOnStep(
  value: number,
  { min, max, step = 1 }: { min: number; max: number; step?: number },
): boolean {
  const steps = (value - min) / step;
  return value >= min && value <= max && Math.abs(steps - Math.round(steps)) < 1e-9;
}

/** The value of each parameter: the given one, or its default. Throws `invalid_input` with the path of the value. */
export function valuesOfParams(
  params: RuleParams,
  given: Readonly<Record<string, unknown>>,
  at = 'params',
): Record<string, number> {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(params, name)) throw fieldError(`${at}.${name}`, unknownParam(name, params));
    const spec = params[name];
    if (typeof value === 'number' && isOnStep(value, spec)) continue;
    const isInside = typeof value === 'number' && value >= spec.min && value <= spec.max;
    const steps = isInside ? ` in steps of ${spec.step}` : '';
    throw fieldError(
      `${at}.${name}`,
      `"${name}" must be from ${spec.min} to ${spec.max}${steps}, found ${JSON.stringify(value)}`,
    );
  }
  const entries = Object.entries(params).map(([name, spec]): [string, number] => [
    name,
    (given[name] as number | undefined) ?? spec.default,
  ]);
  return Object.fromEntries(entries);
}

/** What is said of a parameter that a strategy lacks. */
const unknownParam = (name: string, params: RuleParams): string =>
  `there is no parameter "${name}"; the strategy has ${Object.keys(params).join(', ') || 'none'}`;

const reference = /\{([^{}]*)\}/g;

/** The names in braces in all texts of the rules. */
export function namesUsed(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') for (const [, name] of value.matchAll(reference)) found.add(name);
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) namesUsed(each, found);
  return found;
}

/** A text with the values of parameters in place of their names in braces. Throws `invalid_input` for an unknown name. */
export const fillParams = (
  text: string,
  params: RuleParams,
  values: Readonly<Record<string, number>>,
  at: string,
): string =>
  text.replaceAll(reference, (_all, name: string) => {
    if (!Object.hasOwn(values, name)) throw fieldError(at, unknownParam(name, params));
    return String(values[name]);
  });
