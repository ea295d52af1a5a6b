import { mean } from './returns.js';

/** The means of two series, and the sums of the squares and products of the distances from them. */
export interface SquaresAboutMeans {
  meanX: number;
  meanY: number;
  xx: number;
  xy: number;
  yy: number;
}

/** Of equally long series; NaN without values. */
export function squaresAboutMeans(x: Float64Array, y: Float64Array): SquaresAboutMeans {
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return { meanX, meanY, xx, xy, yy };
}

/** Pearson's correlation of equally long series, -1 to 1; null with fewer than two values, or where one does not vary. */
export const correlation = (x: Float64Array, y: Float64Array): number | null =>
  x.length < 2 ? null : correlationOf(squaresAboutMeans(x, y), x.length);

/** The same from the sums of that many values. */
export function correlationOf({ meanX, meanY, xx, xy, yy }: SquaresAboutMeans, count: number): number | null {
  const still = (squares: number, average: number) => squares <= (average * 1e-12) ** 2 * count;
  if (still(xx, meanX) || still(yy, meanY)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
