/** The shortest decimal that reads back as exactly this double, in plain notation: 0.0000001, never 1e-7. */
export function plainNumber(value: number): string {
  const [digits, exponent = '0'] = String(value).split('e');
  if (exponent === '0') return digits;
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits)!;
  const zeros = '0'.repeat(Math.abs(Number(exponent)));
  return Number(exponent) > 0
    ? sign + whole + part + zeros.slice(part.length)
    : `${sign}0.${zeros.slice(1)}${whole}${part}`;
}

/**
 * A number for people: by default six significant digits, in plain notation, without trailing zeros. `side` rounds up or down
 * where the nearest number would be on the other side.
 */
export function formatNumber(value: number, digits = 6, side?: 'up' | 'down'): string {
  if (value === 0) return '0';
  const decimals = Math.min(Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value)))), 20);
  const nearest = value.toFixed(decimals);
  const isPast = side === 'up' ? Number(nearest) < value : side === 'down' && Number(nearest) > value;
  const step = side === 'up' ? 10 ** -decimals : -(10 ** -decimals);
  const text = isPast ? (Number(nearest) + step).toFixed(decimals) : nearest;
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  // What is too small to be shown is 0, not -0.
  return short === '-0' ? '0' : short;
}
