import { defineTool, type Tool } from '../tool.js';
import { analysisNamed } from '../../../compute/analyses.js';
import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { analysisOperation } from '../../operations/analysis/analysis-operation.js';
import { getBacktestResult } from '../../operations/backtests/get-backtest-result.js';
import { backtestLinks } from '../resources/backtest-tables.js';
import { strategyLeaderboard } from '../../operations/analysis/leaderboards.js';
import { listStrategies } from '../../operations/analysis/list-catalogues.js';
import { backtest } from '../../operations/analysis/backtest.js';
import { runMonteCarlo } from '../../operations/backtests/run-luck.js';

/** The parts of the answer that the headline reads. */
interface ComparedAnswer {
  runs: { strategy: string; asset: string; totalReturn: number | null; significant: boolean }[];
  refused: object[];
}

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

const shown = (percent: number | null): string =>
  percent === null ? 'unknown' : `${formatNumber(percent, 4)} %`;

/** The parts of the answer that the headline reads; the report is described by its analysis. */
export interface MonteCarloAnswer {
  strategy: string;
  asset: string;
  paths: number;
  backtest: { totalReturn: number | null; tradeCount: number };
  trades: { probabilityOfLoss: { share: number | null } } | null;
  randomEntries: { pValue: number } | null;
}

/** Tools that run, read and compare backtests. */
export const backtestTools: readonly Tool[] = [
  defineTool({
    name: 'compare_backtests',
    operation: analysisOperation(analysisNamed('compare')),
    // The tool takes names of strategies; over REST they have parameters, too.
    input: ({ strategies, ...rest }) => ({
      ...rest,
      strategies: (strategies as string[]).map((name) => ({ name, params: {} })),
    }),
    headline: (payload) => {
      const { runs, refused } = payload as ComparedAnswer;
      const [best] = runs;
      if (!best) return `None of the ${countOf(refused.length, 'combination')} could be computed.`;
      const left = refused.length === 0 ? '' : `; ${refused.length} could not be computed`;
      const significant = runs.filter((run) => run.significant).length;
      const earned = best.totalReturn === null ? 'unknown' : `${formatNumber(best.totalReturn, 4)} %`;
      return `${countOf(runs.length, 'combination')} by Sharpe ratio; first ${best.strategy} on ${best.asset} with a return of ${earned}; ${significant} significant after correction for multiple testing${left}.`;
    },
  }),
  defineTool({
    name: 'get_backtest_result',
    operation: getBacktestResult,
    links: (payload) => {
      const { summary } = payload as unknown as ResultAnswer;
      return summary ? backtestLinks(summary.id) : [];
    },
    headline: (payload) => {
      const { section, runs, summary, trades, equity, total, nextCursor } =
        payload as unknown as ResultAnswer;
      const more = nextCursor === null ? '' : '; more with next_cursor';
      if (section === 'runs') return `${countOf(runs.length, 'stored backtest')}, the newest first${more}.`;
      if (!summary)
        return `${trades.length + equity.length} of ${total ?? 0} rows of ${section}, the oldest first${more}.`;
      const { strategy, asset, interval, totalReturn, tradeCount } = summary;
      const earned = totalReturn === null ? 'unknown' : `${formatNumber(totalReturn, 4)} %`;
      return `${strategy} on ${asset} ${interval}: return ${earned} in ${countOf(tradeCount, 'trade')}.`;
    },
  }),
  defineTool({
    name: 'get_strategy_leaderboard',
    operation: strategyLeaderboard,
    // It is computed at night; an hour on top for the computation.
    staleAfterMs: 25 * 3_600_000,
    headline: ({ computed, interval, period, rankBy, ranked, rows, luckiestSharpe, ...least }) => {
      if (!computed)
        return `The leaderboard of ${interval} over ${period} is not computed yet. It is computed every night.`;
      const { minTrades, tooFewTrades } = least;
      if (ranked === 0 && tooFewTrades > 0)
        return `No result on ${interval} over ${period} has ${countOf(minTrades, 'closed trade')} or more; ${countOf(tooFewTrades, 'has', 'have')} fewer: pass min_trades 0 to see them.`;
      const [best] = rows;
      const first = best ? `; first by ${rankBy} is ${best.strategy} on ${best.asset}` : '';
      const luck =
        luckiestSharpe === null
          ? ''
          : ` Chance alone is expected to reach a Sharpe ratio of ${formatNumber(luckiestSharpe, 3)}.`;
      return `${countOf(ranked, 'matching result')} on ${interval} over ${period}${first}.${luck}`;
    },
  }),
  defineTool({
    name: 'list_backtest_strategies',
    operation: listStrategies,
    argumentNames: { name: 'id' },
    headline: ({ strategies, assumptions }) =>
      `${strategies.length} strategies: ${strategies.map(({ name }) => name).join(', ')}. Each side costs ${assumptions.feePercent} % fee and ${assumptions.slippagePercent} % slippage unless told otherwise.`,
  }),
  defineTool({
    name: 'run_backtest',
    operation: backtest,
    links: ({ id }) => backtestLinks(id),
    headline: ({ strategy, asset, interval, period, totalReturn, benchmark, tradeCount, id, maxDrawdown }) =>
      `${strategy} on ${asset} ${interval} over ${period}: return ${shown(totalReturn)} (buy and hold ${shown(benchmark.totalReturn)}), max drawdown ${shown(maxDrawdown)}, ${countOf(tradeCount, 'trade')}. Stored as backtest_id ${id}. History is no forecast.`,
  }),
  defineTool({
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
  }),
];
