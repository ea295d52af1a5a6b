/** How many significant digits a number has when it leaves. */
export const significantDigits = 8;

export const roundSignificant = (value: number): number => Number(value.toPrecision(significantDigits));

/** A copy of plain data in which every number has at most 8 significant digits. */
export function roundNumbers<T>(data: T): T {
  if (typeof data === 'number') return roundSignificant(data) as T;
  if (Array.isArray(data)) return data.map(roundNumbers) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, roundNumbers(value)])) as T;
}
