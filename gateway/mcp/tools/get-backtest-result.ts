import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { getBacktestResult } from '../../operations/backtests/get-backtest-result.js';
import { backtestLinks } from '../resources/backtest-tables.js';
import { defineTool } from '../tool.js';

/** The parts of the answer that the headline reads; the report is described by its job. */
interface ResultAnswer {
  section: string;
  runs: object[];
  summary: {
    id: string;
    strategy: string;
    asset: string;
    interval: string;
    totalReturn: number | null;
    tradeCount: number;
  } | null;
  trades: object[];
  equity: object[];
  total: number | null;
  nextCursor: string | null;
}

export const getBacktestResultTool = defineTool({
  name: 'get_backtest_result',
  operation: getBacktestResult,
  links: (payload) => {
    const { summary } = payload as unknown as ResultAnswer;
    return summary ? backtestLinks(summary.id) : [];
  },
  headline: (payload) => {
    const { section, runs, summary, trades, equity, total, nextCursor } = payload as unknown as ResultAnswer;
    const more = nextCursor === null ? '' : '; more with next_cursor';
    if (section === 'runs') return `${countOf(runs.length, 'stored backtest')}, the newest first${more}.`;
    if (!summary)
      return `${trades.length + equity.length} of ${total ?? 0} rows of ${section}, the oldest first${more}.`;
    const { strategy, asset, interval, totalReturn, tradeCount } = summary;
    const earned = totalReturn === null ? 'unknown' : `${formatNumber(totalReturn, 4)} %`;
    return `${strategy} on ${asset} ${interval}: return ${earned} in ${countOf(tradeCount, 'trade')}.`;
  },
});
