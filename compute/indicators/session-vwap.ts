import { defineIndicator } from '../model/indicator.js';

const dayMs = 86_400_000;

/** The volume-weighted average price since the start of the UTC day; NaN while there is no volume. */
export const sessionVwap = defineIndicator({
  name: 'session_vwap',
  title: 'Volume-Weighted Average Price since midnight UTC',
  formula: 'sum of typical price x volume over sum of volume since midnight UTC',
  reading:
    'the mean price paid since midnight UTC; price above it: buyers of the day are in profit on average',
  kind: 'volume',
  reference:
    'Berkowitz, Logue and Noser, The Total Cost of Transactions on the NYSE, 1988; typical price by volume',
  inputs: ['time', 'high', 'low', 'close', 'volume'],
  outputs: ['vwap'],
  needsVolume: true,
  params: {},
  warmup: () => 0,
  fill({ time, high, low, close, volume }, _params, { vwap }) {
    const { length } = close;
    let midnight = -Infinity;
    let turnover = 0;
    let traded = 0;
    for (let i = 0; i < length; i++) {
      if (time[i] >= midnight) {
        midnight = (Math.floor(time[i] / dayMs) + 1) * dayMs;
        turnover = 0;
        traded = 0;
      }
      const price = (high[i] + low[i] + close[i]) / 3;
      turnover += price * volume[i];
      traded += volume[i];
      vwap[i] = traded > 0 ? turnover / traded : NaN;
    }
  },
});
