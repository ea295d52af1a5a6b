import { formatNumber } from '../../../compute/model/format-number.js';
import { lastPrices } from '../../operations/analysis/last-prices.js';
import { defineTool } from '../tool.js';

export const getPriceTool = defineTool({
  name: 'get_price',
  operation: lastPrices,
  headline: ({ prices }) =>
    `${prices
      .map(({ symbol, price, change24hPercent, isStale }) =>
        price === null
          ? `${symbol} has no price`
          : `${symbol} ${price} (${change24hPercent === null ? 'change unknown' : `${formatNumber(Number(change24hPercent))} % in 24 h`}${isStale ? ', stale' : ''})`,
      )
      .join('; ')}.`,
});
