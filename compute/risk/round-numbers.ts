/** How many significant digits a number has when it leaves. */
export const significantDigits = 8;

/** The least whole number that has more digits. */
const tooLong = 10 ** significantDigits;

/** The nearest number of at most 8 significant digits. */
export function roundSignificant(value: number): number {
  // Most numbers of an answer are counts and points: they are what they are, and writing them out takes long.
  if (Number.isInteger(value) && Math.abs(value) < tooLong) return value;
  return Number(value.toPrecision(significantDigits));
}

/** A copy of plain data in which every number has at most 8 significant digits. */
export function roundNumbers<T>(data: T): T {
  if (typeof data === 'number') return roundSignificant(data) as T;
  if (Array.isArray(data)) return data.map(roundNumbers) as T;
  if (typeof data !== 'object' || data === null) return data;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) copy[key] = roundNumbers<unknown>(value);
  return copy as T;
}
