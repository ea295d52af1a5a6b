import { formatNumber } from '../../../compute/model/format-number.js';
import { researchSweep } from '../../operations/research/research-sweep.js';
import { defineExtension } from '../tool.js';
import { rulesSchema } from '../rules-schema.js';

export const researchSweepTool = defineExtension({
  name: 'research_sweep',
  title: 'Sweep own rules',
  description:
    'Backtests own rules on one asset with every combination of parameter values, or with random ones, and ranks them, with the Sharpe ratio that the best of so many reaches by luck. Does not judge the future: use research_walk_forward for that.',
  scope: 'read:analysis',
  toolset: 'research',
  operation: researchSweep,
  inputSchema: rulesSchema(researchSweep.input),
  headline({ best, combinations, done, luckiestSharpe }) {
    const [first] = best;
    if (!first) return `None of ${combinations} combinations has the figure that ranks.`;
    const params = Object.entries(first.params).map(([name, value]) => `${name} ${value}`);
    const figure = (value: number | null) => (value === null ? 'none' : formatNumber(value));
    return `Best of ${done} of ${combinations} combinations: ${params.join(', ')}, return ${figure(first.totalReturn)} %, Sharpe ${figure(first.sharpe)}. By luck alone the best reaches a Sharpe of ${figure(luckiestSharpe as number)}.`;
  },
});
