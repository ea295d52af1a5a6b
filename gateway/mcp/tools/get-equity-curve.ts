import { formatNumber } from '../../../compute/model/format-number.js';
import { getEquity } from '../../operations/ledger/get-equity.js';
import { defineTool } from '../tool.js';

export const getEquityCurveTool = defineTool({
  name: 'get_equity_curve',
  operation: getEquity,
  headline: ({ days, returnPercent, maxDrawdownPercent, benchmark, benchmarkReturnPercent }) => {
    const last = days.at(-1);
    if (!last || returnPercent === null) return 'Too few days of equity are stored for a return yet.';
    const fall = maxDrawdownPercent === null ? '' : `, max drawdown ${formatNumber(maxDrawdownPercent, 4)} %`;
    const held =
      benchmarkReturnPercent === null
        ? ''
        : `; holding ${benchmark} ${formatNumber(benchmarkReturnPercent, 4)} %`;
    const unread =
      last.incomplete.length === 0 ? '' : ` Not read on the last day: ${last.incomplete.join(', ')}.`;
    return `${formatNumber(Number(last.value))} USDT on ${last.day}; return ${formatNumber(returnPercent, 4)} % since ${days[0].day} without deposits and withdrawals${fall}${held}.${unread}`;
  },
});
