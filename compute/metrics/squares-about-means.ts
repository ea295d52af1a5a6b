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
