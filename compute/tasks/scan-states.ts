import { scanStates as scan, type PairState } from '../core-line/scan-states.js';
import { defineTask, type MarketQuestion } from '../task.js';

/** The trend state of every given pair, with what a table of states shows beside it. */
export const scanStates = defineTask({
  name: 'scan-states',
  phases: ['scan'],
  run: ({ pairs, interval }: MarketQuestion, scratch, onProgress): { states: PairState[] } => ({
    states: scan(pairs, interval, scratch, onProgress),
  }),
});
