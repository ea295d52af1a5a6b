import { countOf } from '../../../compute/model/count-of.js';
import { chart } from '../../operations/analysis/chart.js';
import { defineTool } from '../tool.js';

export const getTrendChartTool = defineTool({
  name: 'get_trend_chart',
  operation: chart,
  headline: ({ asset, interval, state, candles }) =>
    `${asset} is in state ${state ?? 'unknown'} on ${interval}; ${countOf(candles.length, 'candle')} with the trend line.`,
  isWarm: ({ state }) => state !== null,
});
