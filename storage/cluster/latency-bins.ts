/** Upper bounds of the bins that durations are counted in, in ms: six in each power of ten. The last bin has none. */
export const binBounds: readonly number[] = [0, 1, 2, 3, 4].flatMap((power) =>
  [1, 1.5, 2, 3, 5, 7].map((step) => step * 10 ** power),
);

/** The bin of a duration in ms. */
export function binOf(ms: number): number {
  const bin = binBounds.findIndex((bound) => ms <= bound);
  return bin === -1 ? binBounds.length : bin;
}

/**
 * The duration in ms below which a share of the counted durations is, as in 0.99; null if nothing was counted. Durations in a
 * bin count as spread evenly over it.
 */
export function quantileOf(counts: readonly number[], share: number): number | null {
  const wanted = counts.reduce((sum, count) => sum + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  for (const [bin, count] of counts.entries()) {
    const [from, to] = [binBounds[bin - 1] ?? 0, binBounds[bin] ?? binBounds.at(-1)!];
    if (count > 0 && below + count >= wanted) return from + ((to - from) * (wanted - below)) / count;
    below += count;
  }
  return binBounds.at(-1)!;
}
