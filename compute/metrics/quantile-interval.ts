const z = 1.959963984540054;

/** Bounds of a quantile; null where the sample has no value that far out. */
export interface QuantileInterval {
  low: number | null;
  high: number | null;
}

/**
 * The 95 % confidence interval of the quantile for a share of 0 to 1, from ascending, independent values of any
 * distribution: the values at ranks n share +/- z sqrt(n share (1 - share)), rounded up. Conover, Practical Nonparametric
 * Statistics, 3.2.
 */
export function quantileInterval(ascending: ArrayLike<number>, share: number): QuantileInterval {
  const count = ascending.length;
  const reach = z * Math.sqrt(count * share * (1 - share));
  // Ranks are counted from 1.
  const at = (rank: number) => (rank >= 1 && rank <= count ? ascending[rank - 1] : null);
  return { low: at(Math.ceil(count * share - reach)), high: at(Math.ceil(count * share + reach)) };
}
