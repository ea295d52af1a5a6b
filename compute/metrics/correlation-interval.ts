/** A correlation, -1 to 1, with its 95 % confidence interval; null where it has no meaning. */
export interface CorrelationInterval {
  correlation: number | null;
  low: number | null;
  high: number | null;
}

const z = 1.959963984540054;

/**
 * The interval of a correlation that was found in so many pairs of values: tanh(atanh(r) +/- z / sqrt(n - 3)). Assumes
 * independent pairs; where moves have fat tails the true interval is wider. Null with fewer than four pairs. Fisher,
 * Metron 1, 1921.
 */
export function correlationInterval(correlation: number | null, count: number): CorrelationInterval {
  if (correlation === null || count < 4) return { correlation, low: null, high: null };
  const middle = Math.atanh(correlation);
  const reach = z / Math.sqrt(count - 3);
  return { correlation, low: Math.tanh(middle - reach), high: Math.tanh(middle + reach) };
}
