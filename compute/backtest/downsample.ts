/** A point of a curve: time in whole seconds, UTC, as chart libraries take it. */
export interface Point {
  time: number;
  value: number;
}

/**
 * At most `most` (4 or more) points of a curve, in order: the first, the last, and the lowest and highest of equally
 * long stretches between them, so that no extreme is lost.
 */
export const downsample = (timeMs: Float64Array, values: Float64Array, most: number): Point[] =>
  keptPlaces(values, most).map((i) => ({ time: timeMs[i] / 1000, value: values[i] }));

/** The places of the points that `downsample` keeps. */
export const keptPlaces = (values: Float64Array, most: number): number[] =>
  values.length <= most ? Array.from(values.keys()) : extremes(values, Math.floor((most - 2) / 2));

function extremes(values: Float64Array, stretches: number): number[] {
  const last = values.length - 1;
  const kept = [0];
  for (let n = 0; n < stretches; n++) {
    const from = 1 + Math.floor((n * (last - 1)) / stretches);
    const to = 1 + Math.floor(((n + 1) * (last - 1)) / stretches);
    let [lowest, highest] = [from, from];
    let [low, high] = [values[from], values[from]];
    for (let i = from + 1; i < to; i++) {
      const value = values[i];
      if (value < low) {
        low = value;
        lowest = i;
      } else if (value > high) {
        high = value;
        highest = i;
      }
    }
    kept.push(Math.min(lowest, highest));
    if (lowest !== highest) kept.push(Math.max(lowest, highest));
  }
  kept.push(last);
  return kept;
}
