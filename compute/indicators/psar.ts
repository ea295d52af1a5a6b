import { defineIndicator } from '../model/indicator.js';
import { streamPsar } from './streams/psar.js';

/** A stop that follows the trend, accelerates with every new extreme, and changes sides when the price reaches it. */
export const psar = defineIndicator({
  name: 'psar',
  title: 'Parabolic Stop and Reverse',
  formula: 'stop before + acceleration x (extreme - stop before); turns when price crosses it',
  reading: 'dots below price: upward, and a stop for longs; above: downward',
  kind: 'trend',
  reference: 'Wilder, New Concepts in Technical Trading Systems, 1978; start as TA-Lib SAR',
  inputs: ['high', 'low'],
  outputs: ['psar'],
  params: {
    step: { min: 0.001, max: 1, default: 0.02, step: 0.001, title: 'Acceleration added by each new extreme' },
    limit: { min: 0.001, max: 1, default: 0.2, step: 0.001, title: 'Greatest acceleration' },
  },
  warmup: () => 1,
  fill({ high, low }, params, { psar }) {
    const { length } = high;
    if (length < 2) return;
    const { limit } = params;
    const step = Math.min(params.step, limit);
    const fall = low[0] - low[1];
    let long = !(fall > 0 && fall > high[1] - high[0]);
    let extreme = long ? high[1] : low[1];
    let stop = long ? low[0] : high[0];
    let pace = step;
    let peak = high[1];
    let trough = low[1];
    let peakBefore = peak;
    let troughBefore = trough;
    // One loop per direction: each has branches of its own, which the processor predicts separately.
    for (let i = 1; i < length;) {
      if (long) {
        for (; i < length; i++) {
          peakBefore = peak;
          troughBefore = trough;
          peak = high[i];
          trough = low[i];
          if (trough <= stop) break;
          psar[i] = stop;
          if (peak > extreme) {
            extreme = peak;
            pace += step;
            if (pace > limit) pace = limit;
          }
          stop += pace * (extreme - stop);
          if (stop > troughBefore) stop = troughBefore;
          if (stop > trough) stop = trough;
        }
        if (i === length) return;
        stop = Math.max(extreme, peakBefore, peak);
        extreme = trough;
      } else {
        for (; i < length; i++) {
          peakBefore = peak;
          troughBefore = trough;
          peak = high[i];
          trough = low[i];
          if (peak >= stop) break;
          psar[i] = stop;
          if (trough < extreme) {
            extreme = trough;
            pace += step;
            if (pace > limit) pace = limit;
          }
          stop += pace * (extreme - stop);
          if (stop < peakBefore) stop = peakBefore;
          if (stop < peak) stop = peak;
        }
        if (i === length) return;
        stop = Math.min(extreme, troughBefore, trough);
        extreme = peak;
      }
      psar[i++] = stop;
      long = !long;
      pace = step;
      stop += pace * (extreme - stop);
      stop = long ? Math.min(stop, troughBefore, trough) : Math.max(stop, peakBefore, peak);
    }
  },
  stream: streamPsar,
});
