import { formatNumber } from '../../../compute/model/format-number.js';
import { strategyLeaderboard } from '../../operations/analysis/strategy-leaderboard.js';
import { defineTool } from '../tool.js';

export const getStrategyLeaderboardTool = defineTool({
  name: 'get_strategy_leaderboard',
  operation: strategyLeaderboard,
  headline: ({ computed, interval, period, rankBy, ranked, rows, luckiestSharpe }) => {
    if (!computed) return `No leaderboard of ${interval} over ${period} is computed yet; it is every night.`;
    const [best] = rows;
    const first = best ? `; first by ${rankBy} is ${best.strategy} on ${best.asset}` : '';
    const luck =
      luckiestSharpe === null
        ? ''
        : ` Chance alone is expected to reach a Sharpe ratio of ${formatNumber(luckiestSharpe, 3)}.`;
    return `${ranked} results on ${interval} over ${period} match${first}.${luck}`;
  },
});
