const z = 1.959963984540054;

/** Bounds of a quantile; null where the values do not reach as far. */
export interface QuantileInterval {
  low: number | null;
  high: number | null;
}

/**
 * The 95 % confidence interval of the value below which the share (0 to 1) lies, from ascending, independent values of
 * any distribution: those at ranks n share +/- z sqrt(n share (1 - share)), rounded up. Conover, Practical Nonparametric
 * Statistics, 3.2.
 */
export function quantileInterval(ascending: ArrayLike<number>, share: number): QuantileInterval {
  const count = ascending.length;
  const reach = z * Math.sqrt(count * share * (1 - share));
  // Ranks are counted from 1.
  const at = (rank: number) => (rank >= 1 && rank <= count ? ascending[rank - 1] : null);
  return { low: at(Math.ceil(count * share - reach)), high: at(Math.ceil(count * share + reach)) };
}
