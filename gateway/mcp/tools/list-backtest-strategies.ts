import { listStrategies } from '../../operations/analysis/list-strategies.js';
import { defineTool } from '../tool.js';

export const listBacktestStrategiesTool = defineTool({
  name: 'list_backtest_strategies',
  operation: listStrategies,
  argumentNames: { name: 'id' },
  headline: ({ strategies, assumptions }) =>
    `${strategies.length} strategies: ${strategies.map(({ name }) => name).join(', ')}. Each side costs ${assumptions.feePercent} % fee and ${assumptions.slippagePercent} % slippage unless told otherwise.`,
});
