import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { strategyLeaderboard } from '../../operations/analysis/strategy-leaderboard.js';
import { defineTool } from '../tool.js';

export const getStrategyLeaderboardTool = defineTool({
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
});
