import { defineAnalysis } from '../analysis.js';
import type { CrossLabels } from '../model/cross-reading.js';
import { field } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { momentumFields, reportMomentum } from './momentum.js';
import { differenceWords, pictureField } from './picture.js';
import { readPicture } from './technical-summary.js';

/** Which way an oscillator went, in words. */
const lineWords: Record<CrossLabels['trend'], string> = { up: 'rising', down: 'falling', flat: 'flat' };

/** What the signal of a cross means, in words. */
const crossWords: Record<CrossLabels['signal'], string> = {
  buy: 'just crossed above its signal line',
  sell: 'just crossed below its signal line',
  hold: 'no fresh cross of its signal line',
};

/** RSI, MACD, Stochastic and CCI with their crosses and percentiles. */
export const momentumAnalysis = defineAnalysis({
  name: 'momentum',
  title: 'Momentum reading',
  summary:
    'RSI with its average, MACD, Stochastic and CCI of an asset: trend, signal and momentum in words, last cross, overbought and oversold with percentile.',
  needs: 'series',
  params: {},
  output: field.object('RSI, MACD, Stochastic and CCI', { ...momentumFields, picture: pictureField }),
  scope: 'public',
  tool: {
    name: 'get_momentum_reading',
    headline: ({ asset, interval, rsi, macd, picture }) =>
      `Momentum of ${asset} on ${interval} is ${picture.momentum}: RSI ${formatNumber(rsi.results.rsi, 3)} (${rsi.zone}, ${lineWords[rsi.labels.trend]}), MACD ${macd.labels.trend}, ${crossWords[macd.labels.signal]}.${differenceWords(picture)}`,
  },
  cost: 1,
  run(question, scratch) {
    return { ...reportMomentum(question, scratch), picture: readPicture(question, scratch) };
  },
});
