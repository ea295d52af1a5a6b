import { formatNumber } from '../../../compute/model/format-number.js';
import { researchBacktest } from '../../operations/research/research-backtest.js';
import { defineExtension } from '../tool.js';
import { rulesSchema } from '../rules-schema.js';

export const researchBacktestTool = defineExtension({
  name: 'research_backtest',
  title: 'Backtest own rules',
  description:
    "Backtests a trader's own rules (long, short, stops, targets, sizes) over any part of the history, on one asset or on several in one account. Costs are charged, nothing fills on the candle of its signal, and every run is checked for look-ahead.",
  scope: 'read:analysis',
  toolset: 'research',
  operation: researchBacktest,
  inputSchema: rulesSchema(researchBacktest.input),
  headline({ totalReturn, maxDrawdown, tradeCount, benchmark, window, assets }) {
    const figure = (value: number | null) => (value === null ? 'none' : formatNumber(value));
    return `${assets.join(', ')} from ${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}: return ${figure(totalReturn)} % in ${tradeCount} trades, maximum drawdown ${figure(maxDrawdown)} %; buy and hold ${figure(benchmark.totalReturn)} %.`;
  },
});
