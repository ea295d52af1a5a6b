import { viewCoreLine } from './view.js';
import type { CoreLineView } from '../model/core-line.js';
import type { Candles } from '../model/candles.js';
import type { Interval } from '../model/interval.js';
import { defineTask } from '../task.js';

export interface CoreLineInput {
  /** All closed candles of the series, at least one. */
  candles: Candles;
  interval: Interval;
}

/** The trend state of a series, its chart and its flips. */
export const coreLineTask = defineTask({
  name: 'core-line',
  run: ({ candles, interval }: CoreLineInput, scratch): CoreLineView =>
    viewCoreLine(candles, interval, scratch),
});
