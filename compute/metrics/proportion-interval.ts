/** A share of cases with its 95 % confidence interval, all as fractions; null of no cases. */
export interface ProportionInterval {
  count: number;
  share: number | null;
  low: number | null;
  high: number | null;
}

const z = 1.959963984540054;

/** How often something came about in independent cases. Wilson's score interval (JASA 22, 1927). */
export function proportionInterval(hits: number, count: number): ProportionInterval {
  if (count === 0) return { count, share: null, low: null, high: null };
  const share = hits / count;
  const weight = 1 + (z * z) / count;
  const middle = (share + (z * z) / (2 * count)) / weight;
  const reach = (z / weight) * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const low = hits === 0 ? 0 : middle - reach;
  const high = hits === count ? 1 : middle + reach;
  return { count, share, low, high };
}
