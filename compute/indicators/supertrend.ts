import { defineIndicator } from '../model/indicator.js';

/** A stop `width` ATR from the middle of the candle that moves only with the trend; direction is 1 or -1. */
export const supertrend = defineIndicator({
  name: 'supertrend',
  title: 'Supertrend',
  formula: 'mean of high and low plus and minus width x ATR, kept until price closes beyond it',
  reading: 'line below price: upward and a trailing stop; above: downward',
  kind: 'trend',
  reference: 'Seban; ATR as TA-Lib, first direction by the close against the middle of the candle',
  inputs: ['high', 'low', 'close'],
  outputs: ['supertrend', 'direction'],
  params: {
    period: { min: 1, max: 500, default: 10, title: 'Period of the Average True Range' },
    width: { min: 0.1, max: 20, default: 3, step: 0.1, title: 'Average True Ranges from middle to stop' },
  },
  warmup: ({ period }) => period,
  fill({ high, low, close }, { period, width }, { supertrend, direction }) {
    const { length } = close;
    if (length <= period) return;
    const share = 1 / period;
    let before = close[0];
    let range = 0;
    for (let i = 1; i < period; i++) {
      range += (Math.max(high[i], before) - Math.min(low[i], before)) * share;
      before = close[i];
    }
    let long = close[period] >= (high[period] + low[period]) / 2;
    let ceiling = Infinity;
    let floor = -Infinity;
    for (let i = period; i < length; i++) {
      const price = close[i];
      const span = Math.max(high[i], before) - Math.min(low[i], before);
      range += (i === period ? span : span - range) * share;
      const middle = (high[i] + low[i]) / 2;
      const above = middle + width * range;
      const below = middle - width * range;
      if (above < ceiling || before > ceiling) ceiling = above;
      if (below > floor || before < floor) floor = below;
      before = price;
      long = price > (long ? floor : ceiling);
      supertrend[i] = long ? floor : ceiling;
      direction[i] = long ? 1 : -1;
    }
  },
});
