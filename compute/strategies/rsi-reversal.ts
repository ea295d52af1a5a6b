import { computeIndicator } from '../model/indicator.js';
import { rsi } from '../indicators/rsi.js';
import { defineStrategy, target } from '../model/strategy.js';

/** Buys when the RSI is oversold and sells when it is overbought. */
export const rsiReversal = defineStrategy({
  name: 'rsi_reversal',
  title: 'RSI reversal',
  rule: 'Buy when the RSI falls below oversold, sell when it rises above overbought.',
  params: {
    period: { min: 2, max: 200, default: 14, title: 'Period of the RSI in candles' },
    oversold: { min: 1, max: 50, default: 30, step: 0.5, title: 'RSI below which it buys' },
    overbought: { min: 50, max: 99, default: 70, step: 0.5, title: 'RSI above which it sells' },
  },
  ready: ({ period }) => period,
  fill(candles, { period, oversold, overbought }, targets, scratch) {
    const line = computeIndicator(rsi, candles, { period }, scratch).rsi;
    // Until the price first moves, the RSI is 0 and has no meaning.
    const { close } = candles;
    let still = 0;
    while (still < close.length && close[still + 1] === close[0]) still++;
    for (let i = Math.max(period, still + 1); i < targets.length; i++) {
      targets[i] = line[i] < oversold ? target.long : line[i] > overbought ? target.flat : target.keep;
    }
  },
});
