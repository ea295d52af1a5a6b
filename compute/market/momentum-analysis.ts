import { defineAnalysis } from '../analysis.js';
import type { CrossLabels } from '../model/cross-reading.js';
import { field } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { momentumFields, reportMomentum } from './momentum.js';
import { differenceWords, pictureField } from './picture.js';
import { readPicture } from './technical-summary.js';
import { trendFields, reportTrend } from './trend.js';

export const trendAnalysis = defineAnalysis({
  name: 'trend',
  title: 'Trend reading',
  summary:
    'Strength, direction and age of the trend of an asset: ADX, PSAR, Supertrend, Ichimoku, order and slopes of moving averages, last golden or death cross.',
  needs: 'series',
  params: {},
  output: field.object('strength, direction and age of the trend', { ...trendFields, picture: pictureField }),
  scope: 'public',
  tool: {
    name: 'get_trend_reading',
    headline: ({ asset, interval, adx, movingAverages, psar, picture }) =>
      `Trend of ${asset} on ${interval} is ${picture.trend}: ADX ${formatNumber(adx.value, 3)} (${adx.trendStrength}, ${adx.trendDirection}), PSAR ${psar.value}, moving averages ${movingAverages.order}.${differenceWords(picture)}`,
  },
  cost: 1,
  run(question, scratch) {
    return { ...reportTrend(question, scratch), picture: readPicture(question, scratch) };
  },
});

/** Which way an oscillator went, in words. */
const lineWords: Record<CrossLabels['trend'], string> = { up: 'rising', down: 'falling', flat: 'flat' };

/** What the signal of a cross means, in words. */
const crossWords: Record<CrossLabels['signal'], string> = {
  buy: 'just crossed above its signal line',
  sell: 'just crossed below its signal line',
  hold: 'no fresh cross of its signal line',
};

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
