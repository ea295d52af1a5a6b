import type { Answered } from '../../answered.js';
import { decidedArgs } from '../../decided-args.js';
import { writeCount, writeNumber, writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, sentence, signed } from '../../market-words.js';
import { strategyTitle } from '../../strategy-title.js';

type LuckCheck = Answered<'monte-carlo'> & {
  strategy: string;
  backtest: { totalReturn: number | null; tradeCount: number };
};

type Resampled = NonNullable<LuckCheck['trades']> | NonNullable<LuckCheck['candles']>;

const limits = { least: 200, most: 10_000 };

export const monteCarloIntent = defineIntent<LuckCheck>({
  name: 'monte-carlo',
  title: 'how much of the last backtest could be luck',
  tool: 'run_monte_carlo',
  phrases: [
    'was that just luck',
    'monte carlo of it with {count} paths',
    'monte carlo of the last backtest',
    'how sure can we be about this result',
    'how much of that backtest is chance',
    'is this result significant',
    'resample the trades of the backtest',
    'could random entries have done the same',
    'confidence of that backtest',
    'how likely is a loss with this backtest',
    'percentile bands of the result',
    'what could have gone wrong in that test',
    'luck or skill',
    'reshuffle the trades of backtest {backtestId}',
    'shuffle the trades {count} times',
    'how much of this was luck',
    'could that be a coincidence',
    'how trustworthy is that backtest',
    'how sure is that result',
    'run it through a monte carlo',
    'what is the chance that backtest loses money',
    'bootstrap the trades',
    'simulate {count} alternative histories of that backtest',
    'range of outcomes of that backtest',
    'does it beat random entries',
    'run {count} simulations of backtest {backtestId} seed {seed}',
    'probability of loss for backtest {backtestId}',
    'how much of backtest {backtestId} was luck',
    'resample backtest {backtestId} with {count} paths',
    'is backtest {backtestId} better than random entries',
    'how likely is a loss with that',
    'monte carlo',
    'monte carlo on backtest {backtestId}',
  ],
  needs: {
    backtestId: 'Which backtest do you mean? Run one first, for example "backtest the EMA cross on BTC".',
  },
  takes: ['count', 'seed'],
  args: ({ backtestId, count, seed }) =>
    decidedArgs({
      backtest_id: backtestId,
      paths: count === undefined ? undefined : Math.min(limits.most, Math.max(limits.least, count)),
      seed,
    }),
  answer: ({
    strategy,
    asset,
    interval,
    backtest,
    trades,
    tradesReason,
    candles,
    randomEntries,
    notes,
    paths,
  }) => {
    const told = trades ?? candles;
    const about = `${strategyTitle(strategy)} on ${asset} (${interval})`;
    return {
      lead: randomEntries
        ? `${chanceWords(randomEntries.pValue)}: random entries with the same holding times did at least as well as ${about} with a probability of ${writeNumber(randomEntries.pValue)}.`
        : `${about} has no trades to compare with random entries.`,
      figures: [
        ...(told ? [lossWords(told, trades ? 'its trades' : 'the candles', paths)] : []),
        ...(backtest.totalReturn === null
          ? []
          : [
              `The backtest itself returned ${signed(backtest.totalReturn)} in ${counted(backtest.tradeCount, 'trade')}.`,
            ]),
      ],
      caveat: caveatOf(trades ? null : tradesReason, notes),
    };
  },
});

const chanceWords = (pValue: number): string => {
  if (pValue < 0.05) return 'Luck alone is an unlikely explanation';
  return pValue < 0.2 ? 'It may be luck' : 'It may well be luck';
};

const lossWords = ({ totalReturn, probabilityOfLoss }: Resampled, what: string, paths: number): string => {
  const band =
    totalReturn.p5 === null || totalReturn.p95 === null
      ? ''
      : `, nine in ten of them end between ${signed(totalReturn.p5)} and ${signed(totalReturn.p95)}`;
  const loss =
    probabilityOfLoss.share === null ? '' : ` and ${writePercent(probabilityOfLoss.share * 100)} lose money`;
  return `In ${writeCount(paths)} paths made by reshuffling ${what}${band}${loss}.`;
};

const caveatOf = (tradesReason: string | null, notes: readonly string[]): string => {
  const all = [...(tradesReason === null ? [] : [`trades were not resampled: it ${tradesReason}`]), ...notes];
  return all.length === 0
    ? 'Reshuffling the past can show luck, but no market that the past did not have.'
    : `${sentence(all.join('; '))}.`;
};
