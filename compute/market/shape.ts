import { mean } from '../metrics/returns.js';

/** The values less their mean, scaled to a vector of length 1; null where they do not vary. */
export function shapeOf(values: Float64Array): Float64Array | null {
  const moved = values.map((value) => value - values[0]);
  const average = mean(moved);
  const centred = moved.map((value) => value - average);
  const squares = centred.reduce((sum, value) => sum + value * value, 0);
  const size = moved.reduce((sum, value) => sum + value * value, 0);
  return squares > size * 1e-12 ? centred.map((value) => value / Math.sqrt(squares)) : null;
}

/**
 * Pearson's correlation of a shape with each window of the values that starts at an index below `starts`; -Infinity
 * where a window does not vary. Because the shape has mean 0, a window can be measured from its first value, which keeps
 * small moves of large numbers exact.
 */
export function shapeCorrelations(values: Float64Array, shape: Float64Array, starts: number): Float64Array {
  const window = shape.length;
  const scores = new Float64Array(starts).fill(-Infinity);
  for (let start = 0; start < starts; start++) {
    const first = values[start];
    let [sum, squares, product] = [0, 0, 0];
    for (let i = 0; i < window; i++) {
      const value = values[start + i] - first;
      sum += value;
      squares += value * value;
      product += value * shape[i];
    }
    const deviation = squares - (sum * sum) / window;
    if (deviation > squares * 1e-12)
      scores[start] = Math.max(-1, Math.min(1, product / Math.sqrt(deviation)));
  }
  return scores;
}
