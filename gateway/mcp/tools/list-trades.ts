import { countOf } from '../../../compute/model/count-of.js';
import { listTrades } from '../../operations/ledger/list-trades.js';
import { defineTool } from '../tool.js';

export const listTradesTool = defineTool({
  name: 'list_trades',
  operation: listTrades,
  headline: ({ trades, nextCursor }) => {
    const won = trades.filter(({ profit }) => Number(profit) > 0).length;
    return `${countOf(trades.length, 'closed trade')}, the last first, ${won} of them with a profit${nextCursor === null ? '' : '; more with next_cursor'}.`;
  },
});
