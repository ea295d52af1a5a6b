/** Twice the smaller tail of a binomial distribution, by adding up the probabilities of every number of hits. */
export function naiveBinomialP(hits: number, count: number, share: number): number {
  let ways = 1;
  let [atMost, atLeast] = [0, 0];
  for (let k = 0; k <= count; k++) {
    const chance = ways * share ** k * (1 - share) ** (count - k);
    if (k <= hits) atMost += chance;
    if (k >= hits) atLeast += chance;
    ways *= (count - k) / (k + 1);
  }
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}
