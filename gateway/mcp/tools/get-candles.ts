import { countOf } from '../../../compute/model/count-of.js';
import { closedCandles } from '../../operations/analysis/closed-candles.js';
import { defineTool } from '../tool.js';

export const getCandlesTool = defineTool({
  name: 'get_candles',
  operation: closedCandles,
  headline: ({ asset, tradeMarket, interval, count, earlierEndTime }) =>
    `${countOf(count, `closed ${interval} candle`)} of ${asset}/${tradeMarket}${earlierEndTime === null ? '' : `; for earlier ones pass end_time ${earlierEndTime}`}.`,
});
