import { squaresAboutMeans } from './squares-about-means.js';

/** Pearson's correlation of equally long series, -1 to 1; null with fewer than two values, or where one does not vary. */
export function correlation(x: Float64Array, y: Float64Array): number | null {
  const count = x.length;
  if (count < 2) return null;
  const { meanX, meanY, xx, xy, yy } = squaresAboutMeans(x, y);
  const still = (squares: number, average: number) => squares <= (average * 1e-12) ** 2 * count;
  if (still(xx, meanX) || still(yy, meanY)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
