import { formatNumber } from '../../../compute/model/format-number.js';
import { runLuck } from '../../operations/research/run-luck.js';
import { defineExtension } from '../tool.js';
import type { MonteCarloAnswer } from './run-monte-carlo.js';

export const researchLuckTool = defineExtension({
  name: 'research_luck',
  title: 'Luck of a run of own rules',
  description:
    'How much of the result of a stored run of own rules luck could be: paths of its resampled trades and candles. `id` is that of an answer of research_backtest. Does not fit parameters: use research_walk_forward for that.',
  scope: 'read:analysis',
  toolset: 'research',
  operation: runLuck,
  headline(payload) {
    const { backtest, trades, paths } = payload as unknown as MonteCarloAnswer;
    const share = trades?.probabilityOfLoss.share ?? null;
    const loss =
      share === null
        ? 'too few trades to resample'
        : `${formatNumber(share * 100, 4)} % of ${paths} resampled paths lose money`;
    const gained = backtest.totalReturn === null ? 'unknown' : `${formatNumber(backtest.totalReturn, 4)} %`;
    return `The run returned ${gained} in ${backtest.tradeCount} trades; ${loss}.`;
  },
});
