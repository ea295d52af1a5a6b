import { runLuck } from '../operations/backtests/run-luck.js';
import type { MonteCarloAnswer } from './tools/backtest-tools.js';
import { defineExtension, type Tool } from './tool.js';
import { checkStrategy } from '../operations/research/check-strategy.js';
import { rulesSchema } from './rules-schema.js';
import { countOf } from '../../compute/model/count-of.js';
import { listSavedStrategies, saveStrategy } from '../operations/strategies/saved-strategies.js';
import { formatNumber } from '../../compute/model/format-number.js';
import { researchBacktest } from '../operations/research/research-backtest.js';
import { researchSweep, researchWalkForward } from '../operations/research/research-sweep.js';
import { sweep } from '../operations/analysis/backtest.js';

/**
 * Tools beside those agreed with clients, in alphabetical order. `tools/list` names them only for their toolset, such as
 * `?toolsets=research`; they can always be called by name.
 */
export const extensionTools: readonly Tool[] = [
  defineExtension({
    name: 'check_strategy',
    title: 'Check strategy rules',
    description:
      'Reads trading rules as JSON and says them in plain English, or names the first fault with its path. Free of charge; use it before research_backtest, and show the user what was understood.',
    scope: 'public',
    toolset: 'research',
    operation: checkStrategy,
    inputSchema: rulesSchema(checkStrategy.input),
    headline: ({ rules }) => rules.join(' '),
  }),
  defineExtension({
    name: 'list_saved_strategies',
    title: 'List saved strategies',
    description:
      "The user's saved strategies of own rules with id, name, newest version and hash; the one changed last is first. Does not return rules.",
    scope: 'read:analysis',
    toolset: 'research',
    operation: listSavedStrategies,
    headline: ({ strategies, nextCursor }) => {
      const [first] = strategies;
      if (!first) return 'The user has saved no strategy.';
      const more = nextCursor === null ? '' : ', and more follow';
      return `${countOf(strategies.length, 'saved strategy', 'saved strategies')}${more}; changed last: "${first.name}" (${first.id}, version ${first.version}).`;
    },
  }),
  defineExtension({
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
  }),
  defineExtension({
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
  }),
  defineExtension({
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
  }),
  defineExtension({
    name: 'research_walk_forward',
    title: 'Walk own rules forward',
    description:
      'Fits the parameters of own rules on each training stretch of the history and trades them on the test that follows: whether they hold out of sample.',
    scope: 'read:analysis',
    toolset: 'research',
    operation: researchWalkForward,
    inputSchema: rulesSchema(researchWalkForward.input),
    headline: ({ verdict, reason, folds }) => `${verdict} over ${folds.length} folds. ${reason}`,
  }),
  defineExtension({
    name: 'save_strategy',
    title: 'Save a strategy',
    description:
      'Saves a strategy of own rules in the account of the user, as version 1 under an id by which it can be run again. Check the rules first, and save only what the user asked for. Does not run it and places no orders.',
    scope: 'write:strategies',
    toolset: 'research',
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    operation: saveStrategy,
    inputSchema: rulesSchema(saveStrategy.input),
    headline: ({ id, name, version, hash }) =>
      `Saved "${name}" as ${id}, version ${version}; its rules have the hash ${hash.slice(0, 12)}….`,
  }),
  defineExtension({
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
  }),
];
