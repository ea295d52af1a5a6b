import { formatNumber } from '../../../compute/model/format-number.js';
import { getEquity } from '../../operations/ledger/get-equity.js';
import { defineTool } from '../tool.js';

export const getEquityCurveTool = defineTool({
  name: 'get_equity_curve',
  operation: getEquity,
  headline: ({ days, returnPercent, maxDrawdownPercent, benchmark, benchmarkReturnPercent }) => {
    const last = days.at(-1);
    if (!last || returnPercent === null)
      return last
        ? `${formatNumber(Number(last.value))} USDT now; no earlier day is stored, so there is no return yet.`
        : 'No account is stored yet.';
    const fall = maxDrawdownPercent === null ? '' : `, max drawdown ${formatNumber(maxDrawdownPercent, 4)} %`;
    const held =
      benchmarkReturnPercent === null
        ? ''
        : `; holding ${benchmark} ${formatNumber(benchmarkReturnPercent, 4)} %`;
    const unread =
      last.incomplete.length === 0 ? '' : ` Not read the last time: ${last.incomplete.join(', ')}.`;
    return `${formatNumber(Number(last.value))} USDT ${last.isNow ? 'now' : `on ${last.day}`}; return ${formatNumber(returnPercent, 4)} % since ${days[0].day} without deposits and withdrawals${fall}${held}.${unread}`;
  },
});
