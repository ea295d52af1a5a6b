import { defineAnalysis } from '../analysis.js';
import { field } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { trendFields, reportTrend } from './trend.js';
import { differenceWords, pictureField } from './picture.js';
import { readPicture } from './technical-summary.js';

/** Strength, direction and age of the trend by several measures. */
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
