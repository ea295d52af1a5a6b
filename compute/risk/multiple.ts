/** How many times `base` the value is: nothing is 0 times nothing, and anything else infinitely often nothing. */
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
