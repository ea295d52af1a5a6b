import { formatNumber } from '../../../compute/model/format-number.js';
import { sweep } from '../../operations/analysis/sweep.js';
import { defineExtension } from '../tool.js';

export const sweepStrategyTool = defineExtension({
  name: 'sweep_strategy',
  title: 'Sweep strategy parameters',
  description:
    'Backtests one strategy with every combination of parameter values on one asset and ranks them, with the Sharpe ratio that the best of so many reaches by luck. Does not judge the future: use run_walk_forward for that.',
  scope: 'read:analysis',
  toolset: 'research',
  operation: sweep,
  headline({ best, combinations, luckiestSharpe }) {
    const [first] = best;
    if (!first) return `None of ${combinations} combinations is allowed by the strategy.`;
    const params = Object.entries(first.params).map(([name, value]) => `${name} ${value}`);
    const figure = (value: number | null) => (value === null ? 'none' : formatNumber(value));
    return `Best of ${combinations} combinations: ${params.join(', ')}, return ${figure(first.totalReturn)} %, Sharpe ${figure(first.sharpe)}. By luck alone the best reaches a Sharpe of ${figure(luckiestSharpe)}.`;
  },
});
