import { countOf } from '../../../compute/model/count-of.js';
import { closedCandles } from '../../operations/analysis/closed-candles.js';
import { defineTool } from '../tool.js';

/** Most candles of an answer within its size; `earlier_end_time` reads the ones before. */
const mostCandles = 180;

export const getCandlesTool = defineTool({
  name: 'get_candles',
  operation: closedCandles,
  input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostCandles) }),
  headline: ({ asset, tradeMarket, interval, count, earlierEndTime }) =>
    `${countOf(count, `closed ${interval} candle`)} of ${asset}/${tradeMarket}${earlierEndTime === null ? '' : '; for earlier ones pass earlier_end_time as end_time'}.`,
});
