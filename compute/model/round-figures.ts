/** Significant digits of the figures in answers. The last digits of a double are noise: 42.218880000000006 is 42.21888. */
const digits = 12;

/** The powers of ten that a double holds exactly. */
const powers = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The body of an answer with every fraction rounded to 12 significant digits. Whole numbers, such as times in ms, and
 * numbers in text stay as they are. The given value is not changed: parts with nothing to round are shared with it.
 */
export function roundFigures<T>(body: T): T {
  return rounded(body) as T;
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return roundFigure(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? roundedList(value) : roundedObject(value as Record<string, unknown>);
}

function roundedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let n = 0; n < list.length; n++) {
    const before = list[n];
    const after = rounded(before);
    if (!Object.is(after, before)) (copy ??= list.slice())[n] = after;
  }
  return copy ?? list;
}

function roundedObject(object: Record<string, unknown>): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in object) {
    const before = object[name];
    const after = rounded(before);
    if (!Object.is(after, before)) (copy ??= { ...object })[name] = after;
  }
  return copy ?? object;
}

/** A number with 12 significant digits at most. Both steps are exact or correctly rounded, so no new noise appears. */
export function roundFigure(value: number): number {
  if (Number.isInteger(value)) return value;
  const size = Math.abs(value);
  // Most prices have four decimals at most.
  if (size < 1e8 && Math.round(value * 1e4) / 1e4 === value) return value;
  if (!(size >= 1e-6 && size < 1e11)) return Number(value.toPrecision(digits));
  const power = powers[decimalsOf(size)];
  return Math.round(value * power) / power;
}

/** The decimals that make 12 significant digits of a number from 0.000001 up to 100 billion. Much faster than a logarithm. */
function decimalsOf(size: number): number {
  let decimals = digits - 1;
  while (size >= powers[digits - decimals]) decimals--;
  for (let scaled = size; scaled < 1; scaled *= 10) decimals++;
  return decimals;
}
