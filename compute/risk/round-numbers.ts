/** Significant digits of a number in an answer. */
export const significantDigits = 8;

/** The smallest whole number with more digits. */
const tooLong = 10 ** significantDigits;

/** The nearest number of at most 8 significant digits. */
export function roundSignificant(value: number): number {
  // Most numbers of an answer are small whole numbers, which need no rounding.
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
