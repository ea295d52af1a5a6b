import { mean } from './returns.js';

/** Pearson's correlation of equally long series, -1 to 1; null with fewer than two values, or where one does not vary. */
export function correlation(x: Float64Array, y: Float64Array): number | null {
  const count = x.length;
  if (count < 2) return null;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const still = (squares: number, average: number) => squares <= (average * 1e-12) ** 2 * count;
  if (still(xx, meanX) || still(yy, meanY)) return null;
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}
