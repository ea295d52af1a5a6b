import { computeIndicator } from '../model/indicator.js';
import { supertrend } from '../indicators/supertrend.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Long while the direction of Supertrend is up. */
export const supertrendStrategy = defineStrategy({
  name: 'supertrend',
  title: 'Supertrend',
  rule: 'Long while price stays above the Supertrend stop, flat otherwise.',
  params: {
    period: { min: 1, max: 200, default: 10, title: 'Period of the Average True Range in candles' },
    width: { min: 0.5, max: 10, default: 3, step: 0.1, title: 'Average True Ranges from middle to stop' },
  },
  ready: ({ period }) => period,
  fill(candles, params, targets, scratch) {
    const { direction } = computeIndicator(supertrend, candles, params, scratch);
    for (let i = params.period; i < targets.length; i++)
      targets[i] = direction[i] > 0 ? target.long : target.flat;
  },
});
