import { coreLineParams } from '../core-line/rule.js';
import { computeCoreLine } from '../core-line/states.js';
import { stateCode } from '../model/core-line.js';
import { defineStrategy, target } from '../model/strategy.js';

/** The target for each code of a state, from `none` on. */
const targetOf = Int8Array.of(target.flat, target.flat, target.keep, target.long);

/** Long from accumulate to distribute; wait changes nothing. */
export const trendState = defineStrategy({
  name: 'trend_state',
  title: 'Trend state',
  rule: 'Buy when the core line turns to accumulate, sell when it turns to distribute; wait changes nothing.',
  params: {},
  ready: () => coreLineParams.readyIndex,
  fill(candles, _params, targets, scratch) {
    const { state } = computeCoreLine(candles, scratch);
    for (let i = coreLineParams.readyIndex; i < state.length; i++)
      targets[i] = targetOf[state[i] - stateCode.none];
  },
});
