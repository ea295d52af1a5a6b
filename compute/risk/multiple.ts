/** The value as a multiple of `base`. For a base of 0: 0 if the value is 0, otherwise Infinity. */
export function multipleOf(value: number, base: number): number {
  if (base > 0) return value / base;
  return value > 0 ? Infinity : 0;
}

/** The change from `base` in percent with a sign and two decimals, `+12.34%`; `0.00%` for none, `n/a` from 0. */
export function signedPercent(value: number, base: number): string {
  if (base === 0) return 'n/a';
  const text = ((value / base - 1) * 100).toFixed(2);
  if (Number(text) === 0) return '0.00%';
  return `${text.startsWith('-') ? '' : '+'}${text}%`;
}
