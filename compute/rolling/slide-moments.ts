/**
 * Mean and population standard deviation of each of `count` windows of `period` values, the first of which starts at
 * `from`. Values are taken as distances from one that every window of the block holds, so what is squared is as small
 * as the deviation itself: nothing cancels, at no price level, and a window of equal values gives exactly 0.
 */
export function slideMoments(
  values: Float64Array,
  from: number,
  period: number,
  count: number,
  means: Float64Array,
  deviations: Float64Array,
): void {
  const share = 1 / period;
  for (let at = 0; at < count; at += period) {
    const next = from + at + period;
    const stop = Math.min(period, count - at);
    const centre = values[next - 1];
    let sum = 0;
    let squares = 0;
    for (let i = 1; i <= period; i++) {
      const distance = values[next - i] - centre;
      sum += distance;
      squares += distance * distance;
      means[at + period - i] = sum;
      deviations[at + period - i] = squares;
    }
    sum = 0;
    squares = 0;
    for (let i = 0; i < stop; i++) {
      const distance = values[next + i - 1] - centre;
      sum += distance;
      squares += distance * distance;
      const mean = (means[at + i] + sum) * share;
      const variance = (deviations[at + i] + squares) * share - mean * mean;
      means[at + i] = centre + mean;
      deviations[at + i] = Math.sqrt((variance + Math.abs(variance)) * 0.5);
    }
  }
}
