/** A number for people: six significant digits, plain decimals, no trailing zeros. */
export function formatNumber(value: number): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, 5 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(decimals, 20));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
