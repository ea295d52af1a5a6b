import type { strategyLeaderboard } from '../../../../operations/analysis/strategy-leaderboard.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, signed } from '../../market-words.js';
import type { OutputOf } from '../../output-of.js';
import { percentOr, periodWords } from '../../outcome-words.js';
import { strategyTitle } from '../../strategy-title.js';

type Leaderboard = OutputOf<typeof strategyLeaderboard>;

type LeaderboardLine = Leaderboard['rows'][number];

/** Rows that read well in a sentence. */
const mostTold = 5;

const ranks: Readonly<Record<Leaderboard['rankBy'], string>> = {
  oos_return: 'out-of-sample return',
  sharpe: 'Sharpe ratio',
  max_drawdown: 'drawdown, the mildest first',
  excess_return: 'return above buy and hold',
};

export const strategyLeaderboardIntent = defineIntent<Leaderboard>({
  name: 'strategy-leaderboard',
  title: 'which strategies did best on which assets, from the nightly tests',
  tool: 'get_strategy_leaderboard',
  phrases: [
    'which strategy works best',
    'strategy leaderboard',
    'best strategy for {asset}',
    'ranking of the presets on {interval} over {period}',
    'on which coin does {strategy} do best',
    'top {count} strategies',
    'which system had the best out of sample return',
    'what beat buy and hold on {asset}',
    'nightly results of {strategy}',
    'which preset has the highest sharpe on {interval}',
    'what works on {asset} right now',
    'strategies with the smallest drawdown',
    'most profitable strategy over {period}',
    'where did {strategy} earn the most',
    'what is the best strategy right now',
    'which strategy makes the most',
    'which preset came out on top',
    'which strategy lost the least',
    'winning strategy on {interval}',
    'worst strategies',
    'who tops the strategy ranking',
    'how does {strategy} rank',
    'safest strategy by drawdown',
    'which systems beat holding',
    'what strategies did well over {period}',
    'tell me which strategy is best for {asset}',
    'best strategy for it',
    'which preset is best on {asset}',
    'best performing strategy',
    'best performing preset over {period}',
    'show the results of {strategy} across all coins',
    'top {count} by excess return over holding',
    'nightly leaderboard with at least {leastCount} trades',
    'rank strategies by drawdown',
    'leaderboard for {asset}',
    'best preset on {asset} {interval} over {period}',
    '{strategy} on every coin ranked',
    'which preset had the best sharpe over {period} on {interval}',
    'strategy ranking for {asset} minimum {leastCount} trades',
    'leaderboard of {strategy} on {interval}',
    'where does {strategy} work best',
    'stored results of every preset',
  ],
  needs: {},
  takes: ['strategy', 'asset', 'interval', 'period', 'count', 'leaderboardRank', 'leastCount', 'windowHours'],
  args: ({ strategy, asset, interval, period, count, leaderboardRank, leastCount }) =>
    decidedArgs({
      ...{ strategy, asset, interval, period },
      min_trades: leastCount,
      rank_by: leaderboardRank,
      limit: count,
    }),
  answer: ({ computed, interval, period, rankBy, ranked, rows, luckiestSharpe }) => {
    const where = `on ${interval} over ${periodWords(period)}`;
    if (!computed)
      return {
        lead: `There is no leaderboard ${where} yet; it is computed every night.`,
        next: 'A backtest of one strategy can be run now.',
      };
    const [best, ...others] = rows;
    if (!best)
      return {
        lead: `No result ${where} matches, because rows with few trades are left out.`,
        next: 'Another interval or period may have some.',
      };
    return {
      lead: `By ${ranks[rankBy]} the first of ${counted(ranked, 'result')} ${where} is ${strategyTitle(best.strategy)} on ${best.asset}: ${lineWords(best)}.`,
      figures:
        others.length === 0
          ? []
          : [
              `Then ${others
                .slice(0, mostTold - 1)
                .map(shortWords(rankBy))
                .join('; ')}.`,
            ],
      caveat: caveatOf(best, luckiestSharpe),
    };
  },
});

const lineWords = ({ totalReturn, sharpe, maxDrawdown, tradeCount, excessReturn }: LeaderboardLine): string =>
  [
    totalReturn === null ? 'an unknown return' : `${signed(totalReturn)}`,
    ...(sharpe === null ? [] : [`a Sharpe ratio of ${writeNumber(sharpe)}`]),
    `a deepest fall of ${percentOr(maxDrawdown === null ? null : Math.abs(maxDrawdown))}`,
    counted(tradeCount, 'trade'),
    ...(excessReturn === null
      ? []
      : [
          `${writeNumber(Math.abs(excessReturn))} points ${excessReturn < 0 ? 'less' : 'more'} than buy and hold`,
        ]),
  ].join(', ');

/** A row by the figure that ranks it. */
const shortWords =
  (rankBy: Leaderboard['rankBy']) =>
  ({ strategy, asset, sharpe, outOfSampleReturn, maxDrawdown, excessReturn }: LeaderboardLine): string => {
    const figure = {
      sharpe: sharpe === null ? null : writeNumber(sharpe),
      oos_return: outOfSampleReturn === null ? null : signed(outOfSampleReturn),
      max_drawdown: maxDrawdown === null ? null : signed(maxDrawdown),
      excess_return: excessReturn === null ? null : `${writeNumber(excessReturn)} points`,
    }[rankBy];
    return `${strategyTitle(strategy)} on ${asset} (${figure ?? 'unknown'})`;
  };

function caveatOf({ significant, sharpe }: LeaderboardLine, luckiest: number | null): string {
  if (luckiest !== null && sharpe !== null && sharpe < luckiest)
    return `The best of so many tests reaches a Sharpe ratio of ${writeNumber(luckiest)} by luck alone, so this is not beyond chance.`;
  if (significant === true) return 'It stays significant after the correction for the number of tests.';
  return 'It is not significant once the number of tests is counted; past results do not carry over by themselves.';
}
