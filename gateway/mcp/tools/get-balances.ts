import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { getBalances } from '../../operations/portfolio/get-balances.js';
import { defineTool } from '../tool.js';

export const getBalancesTool = defineTool({
  name: 'get_balances',
  operation: getBalances,
  headline: ({ balances, totalValue, hidden, unpriced, unread }) => {
    const small = hidden === 0 ? '' : `; ${countOf(hidden, 'smaller one is', 'smaller ones are')} hidden`;
    const none = unpriced.length === 0 ? '' : `; no price of ${unpriced.join(', ')}`;
    const old =
      unread.length === 0
        ? ''
        : ` Not read the last time: ${unread.map(({ exchange, account }) => `${exchange} ${account}`).join(', ')}.`;
    return `${countOf(balances.length, 'balance')}, worth ${formatNumber(totalValue)} USDT together${small}${none}.${old}`;
  },
});
