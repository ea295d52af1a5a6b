import type { Candles } from '../../../compute/model/candles.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { flipStatistics } from '../../../compute/core-line/core-line-tasks.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import { endsOf, type IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

const waiting = (candles: Candles) =>
  flipStatistics(candles.close, computeCoreLine(candles).state).durations.find(
    ({ state }) => state === 'wait',
  )!;

/** How long the state lasts in which the line tells nothing. */
export const flipsDuration: IntervalClaim = {
  name: 'core-line flips: duration of a state',
  says: 'interval',
  processes: usualMartingales,
  count: 4_000,
  interval: '1h',
  quickSeries: 40,
  estimate([candles]) {
    const { low, high } = waiting(candles);
    return endsOf(low, high);
  },
  truth: (process) => waiting(longRun(process, { interval: '1h' })).mean!,
};
