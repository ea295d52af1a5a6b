import { formatNumber } from '../../../compute/model/format-number.js';
import { runMonteCarlo } from '../../operations/backtests/run-monte-carlo.js';
import { defineTool } from '../tool.js';

/** The parts of the answer that the headline reads; the report is described by its analysis. */
export interface MonteCarloAnswer {
  strategy: string;
  asset: string;
  paths: number;
  backtest: { totalReturn: number | null; tradeCount: number };
  trades: { probabilityOfLoss: { share: number | null } } | null;
  randomEntries: { pValue: number } | null;
}

export const runMonteCarloTool = defineTool({
  name: 'run_monte_carlo',
  operation: runMonteCarlo,
  argumentNames: { id: 'backtestId' },
  headline: (payload) => {
    const { strategy, asset, backtest, trades, randomEntries, paths } =
      payload as unknown as MonteCarloAnswer;
    const share = trades?.probabilityOfLoss.share ?? null;
    const loss =
      share === null ? '' : `; ${formatNumber(share * 100, 4)} % of ${paths} resampled paths lose money`;
    const chance = randomEntries
      ? `; p-value against random entries ${formatNumber(randomEntries.pValue)}`
      : '';
    return `${strategy} on ${asset}: the backtest returned ${backtest.totalReturn === null ? 'unknown' : `${formatNumber(backtest.totalReturn, 4)} %`} in ${backtest.tradeCount} trades${loss}${chance}.`;
  },
});
