import { computeCoreLine, coreLineParams } from '../core-line/states.js';
import { stateCode } from '../model/core-line.js';
import { defineStrategy, target } from '../strategy.js';

/** Long from accumulate to distribute; wait changes nothing. */
export const trendState = defineStrategy({
  name: 'trend_state',
  title: 'Trend state',
  rule: 'Buy when the core line turns to accumulate, sell when it turns to distribute; wait changes nothing.',
  params: {},
  ready: () => coreLineParams.readyIndex,
  fill(candles, _params, targets, room) {
    const { state } = computeCoreLine(candles, room);
    for (let i = coreLineParams.readyIndex; i < state.length; i++) {
      const code = state[i];
      targets[i] =
        code === stateCode.accumulate
          ? target.long
          : code === stateCode.distribute
            ? target.flat
            : target.keep;
    }
  },
});
