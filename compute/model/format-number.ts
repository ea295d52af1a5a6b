/** A number for people: six significant digits unless told otherwise, plain decimals, no trailing zeros. */
export function formatNumber(value: number, digits = 6): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = value.toFixed(Math.min(decimals, 20));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
