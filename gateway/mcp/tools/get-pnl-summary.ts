import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { getProfits } from '../../operations/ledger/get-profits.js';
import { defineTool } from '../tool.js';

export const getPnlSummaryTool = defineTool({
  name: 'get_pnl_summary',
  operation: getProfits,
  headline: ({ totals, groupBy, since, isComplete }) => {
    if (totals.length === 0) return `No trade closed since ${since.slice(0, 10)}, and nothing is open.`;
    const parts = totals.map(({ tradeMarket, profit, unrealised, trades, winRatePercent }) => {
      const open = unrealised === null ? '' : `, ${formatNumber(unrealised)} unrealised`;
      const wins = winRatePercent === null ? '' : `, ${formatNumber(winRatePercent, 4)} % of them won`;
      return `${formatNumber(Number(profit))} ${tradeMarket} realised net of fees in ${countOf(trades, 'trade')}${wins}${open}`;
    });
    const cut = isComplete ? '' : ' Only the newest 20000 trades are counted.';
    return `Since ${since.slice(0, 10)}, by ${groupBy}: ${parts.join('; ')}.${cut}`;
  },
});
