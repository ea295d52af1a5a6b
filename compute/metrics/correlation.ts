import { squaresAboutMeans, type SquaresAboutMeans } from './squares-about-means.js';

/** Pearson's correlation of equally long series, -1 to 1; null with fewer than two values, or where one does not vary. */
export const correlation = (x: Float64Array, y: Float64Array): number | null =>
  x.length < 2 ? null : correlationOf(squaresAboutMeans(x, y), x.length);

/** The same from the sums of that many values. */
export function correlationOf({ meanX, meanY, xx, xy, yy }: SquaresAboutMeans, count: number): number | null {
  const still = (squares: number, average: number) => squares <= (average * 1e-12) ** 2 * count;
  if (still(xx, meanX) || still(yy, meanY)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
