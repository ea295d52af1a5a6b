import { intervalMs, type Interval } from '../../compute/model/interval.js';

/** A run of missing candles: the last one before it, the first one after it, and how many are missing. */
export interface Gap {
  after: number;
  next: number;
  missing: number;
}

/** Every run of candles that is missing between the first and the last of `time`. */
export function gapsIn(time: ArrayLike<number>, interval: Interval): Gap[] {
  const step = intervalMs(interval);
  const gaps: Gap[] = [];
  for (let i = 1; i < time.length; i++) {
    const missing = Math.round((time[i] - time[i - 1]) / step) - 1;
    if (missing > 0) gaps.push({ after: time[i - 1], next: time[i], missing });
  }
  return gaps;
}
