import { intervalMs, type ResearchInterval } from '../../compute/model/interval.js';

/** Missing candles: the open times of the candles before and after them in ms, and how many are missing. */
export interface Gap {
  after: number;
  next: number;
  missing: number;
}

/** All gaps between the first and the last of `time`, which are open times in ms, ascending. */
export function gapsIn(time: ArrayLike<number>, interval: ResearchInterval): Gap[] {
  const step = intervalMs(interval);
  const gaps: Gap[] = [];
  for (let i = 1; i < time.length; i++) {
    const missing = Math.round((time[i] - time[i - 1]) / step) - 1;
    if (missing > 0) gaps.push({ after: time[i - 1], next: time[i], missing });
  }
  return gaps;
}
