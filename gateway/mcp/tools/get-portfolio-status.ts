import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { getPortfolioStatus } from '../../operations/portfolio/get-portfolio-status.js';
import { defineTool } from '../tool.js';

export const getPortfolioStatusTool = defineTool({
  name: 'get_portfolio_status',
  operation: getPortfolioStatus,
  headline: ({ summary: { count, conflicts, value, pnl }, positions }) => {
    if (count === 0) return 'No open positions on any connected account.';
    const against = positions.filter(({ conflict }) => conflict).map(({ asset, side }) => `${side} ${asset}`);
    const named = conflicts === 0 ? 'none against' : `${conflicts} against`;
    return `${countOf(count, 'open position')} worth ${formatNumber(value)} USDT, unrealised ${formatNumber(pnl)} USDT; ${named} the trend state of the asset${against.length === 0 ? '' : `: ${[...new Set(against)].slice(0, 8).join(', ')}`}.`;
  },
});
