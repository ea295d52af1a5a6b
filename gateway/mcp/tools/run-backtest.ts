import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { backtest } from '../../operations/analysis/backtest.js';
import { backtestLinks } from '../resources/backtest-tables.js';
import { defineTool } from '../tool.js';

const shown = (percent: number | null): string =>
  percent === null ? 'unknown' : `${formatNumber(percent, 4)} %`;

export const runBacktestTool = defineTool({
  name: 'run_backtest',
  operation: backtest,
  links: ({ id }) => backtestLinks(id),
  headline: ({ strategy, asset, interval, period, totalReturn, benchmark, tradeCount, id, maxDrawdown }) =>
    `${strategy} on ${asset} ${interval} over ${period}: return ${shown(totalReturn)} (buy and hold ${shown(benchmark.totalReturn)}), max drawdown ${shown(maxDrawdown)}, ${countOf(tradeCount, 'trade')}. Stored as backtest_id ${id}. History is no forecast.`,
});
