/** An exact rational number, for checking decimals by other means: numerator and denominator above 0. */
export interface Fraction {
  n: bigint;
  d: bigint;
}

/** Of a text like "-12.50". */
export function fraction(text: string): Fraction {
  const part = text.split('.')[1] ?? '';
  return { n: BigInt(text.replace('.', '')), d: BigInt('1' + '0'.repeat(part.length)) };
}

export const add = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const subtract = (a: Fraction, b: Fraction): Fraction => add(a, { n: -b.n, d: b.d });
export const multiply = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
export const divide = (a: Fraction, b: Fraction): Fraction => {
  const [n, d] = [a.n * b.d, a.d * b.n];
  return d < 0n ? { n: -n, d: -d } : { n, d };
};

/** Below 0, 0 or above 0. */
export function order(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** 10 ^ -places. */
export const unitOf = (places: number): Fraction => ({ n: 1n, d: 10n ** BigInt(places) });
