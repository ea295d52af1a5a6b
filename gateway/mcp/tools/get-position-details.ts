import { formatNumber } from '../../../compute/model/format-number.js';
import { getPositionDetails } from '../../operations/portfolio/get-position-details.js';
import { defineTool } from '../tool.js';

export const getPositionDetailsTool = defineTool({
  name: 'get_position_details',
  operation: getPositionDetails,
  headline: ({ asset, positions }) => {
    if (positions.length === 0)
      return `No open position in ${asset}; get_portfolio_status lists the open positions.`;
    const parts = positions.map(({ side, quantity, exchange, account, pnl, signals }) => {
      const stop = signals.flatMap(({ levels }) => levels).find(({ kind }) => kind.includes('stop'));
      return `${side} ${formatNumber(quantity)} on ${exchange} ${account}, unrealised ${pnl === null ? 'unknown' : `${formatNumber(pnl)} USDT`}, ${stop ? `stop at ${stop.price}` : 'no stop'}`;
    });
    return `${asset}: ${parts.join('; ')}.`;
  },
});
