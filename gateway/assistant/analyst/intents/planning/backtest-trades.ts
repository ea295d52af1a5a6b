import { decidedArgs } from '../../decided-args.js';
import { writeDate } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { counted, signed } from '../../market-words.js';
import type { BacktestPart } from '../../run-words.js';

export const backtestTradesIntent = defineIntent<BacktestPart>({
  name: 'backtest-trades',
  title: 'the trades of the last backtest',
  tool: 'get_backtest_result',
  phrases: [
    'show the trades of that backtest',
    'what were the trades',
    'list the trades of the backtest',
    'when did it buy and sell in the backtest',
    'single trades of the test',
    'entries and exits of that backtest',
    'which trades did the strategy make',
    'trade list of backtest {backtestId}',
    'show me each trade of the simulation',
    'the first {count} trades of the backtest',
    'every buy and sell of the backtest',
    'what did it trade in the backtest',
    'where did it get in and out',
    'each trade of that run',
    'which trade lost the most in that backtest',
    'best trade of that backtest',
    'trade log of that backtest',
    'walk me through the trades of the backtest',
    'worst trade of the backtest',
    'show me its trades',
    'trades of backtest {backtestId}',
    'pull up the trades of backtest {backtestId}',
    'every single trade of backtest {backtestId}',
    'all entries and exits of backtest {backtestId}',
    'its trades',
  ],
  needs: {
    backtestId: 'Which backtest do you mean? Run one first, for example "backtest the EMA cross on BTC".',
  },
  takes: ['count'],
  yields: ['run-backtest'],
  args: ({ backtestId, count }) => decidedArgs({ backtest_id: backtestId, section: 'trades', limit: count }),
  answer: ({ trades, total }) => {
    if (trades.length === 0) return { lead: 'This backtest closed no trade.' };
    const gained = [...trades].sort((one, other) => other.return - one.return);
    return {
      lead: `The backtest closed ${counted(total ?? trades.length, 'trade')}; the first: ${trades.slice(0, 3).map(tradeWords).join('; ')}.`,
      figures:
        trades.length < 4
          ? []
          : [
              `Of those shown, the best returned ${signed(gained[0].return)} and the worst ${signed(gained[gained.length - 1].return)}.`,
            ],
      ...(total !== null && total > 3
        ? { caveat: 'The whole list is in the stored backtest, as a table and as CSV.' }
        : {}),
    };
  },
});

const tradeWords = ({ entryDate, exitDate, return: gain }: BacktestPart['trades'][number]): string =>
  `${writeDate(entryDate)} to ${writeDate(exitDate)}, ${signed(gain)}`;
