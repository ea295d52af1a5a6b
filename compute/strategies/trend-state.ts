import { coreLineParams } from '../core-line/rule.js';
import { computeCoreLine } from '../core-line/states.js';
import { stateCode } from '../model/core-line.js';
import { defineStrategy, target } from '../model/strategy.js';

/** The target of each state, indexed by the code of the state minus that of `none`. */
const targetOf = Int8Array.of(target.flat, target.flat, target.keep, target.long);

/** Buys when the state turns to accumulate, sells when it turns to distribute, and keeps its position in wait. */
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
