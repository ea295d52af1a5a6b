import { decidedArgs } from '../../decided-args.js';
import { writeDate, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import type { BacktestPart } from '../../run-words.js';

/** As many points as the tool gives at once. */
const mostPoints = 200;

export const backtestEquityIntent = defineIntent<BacktestPart>({
  name: 'backtest-equity',
  title: 'the equity curve of the last backtest',
  tool: 'get_backtest_result',
  phrases: [
    'equity curve of that backtest',
    'and its equity curve',
    'how did the account of the backtest grow',
    'value over time in the backtest',
    'show the curve of the simulation',
    'account curve of backtest {backtestId}',
    'how did the money develop in that test',
    'plot the balance of the strategy',
    'what was the account worth during the backtest',
    'equity of the last test',
    'how did the account move during that backtest',
    'money over time in that run',
    'when was the backtest at its low',
    'how did the capital evolve in the backtest',
    'growth of the account in that run',
    'how did the balance develop in the backtest',
    'where was the account at its worst in the test',
    'graph of the backtest',
    'equity curve of backtest {backtestId}',
    'how did the equity of backtest {backtestId} evolve',
    'and the equity curve',
    'account value during backtest {backtestId}',
  ],
  needs: {
    backtestId: 'Which backtest do you mean? Run one first, for example "backtest the EMA cross on BTC".',
  },
  takes: [],
  yields: ['run-backtest'],
  args: ({ backtestId }) => decidedArgs({ backtest_id: backtestId, section: 'equity', limit: mostPoints }),
  answer: ({ equity, nextCursor }) => {
    const [first] = equity;
    const last = equity.at(-1);
    if (!first || !last) return { lead: 'This backtest has no equity curve.' };
    const byValue = [...equity].sort((one, other) => one.value - other.value);
    return {
      lead: `The account of the backtest went from ${pointWords(first)} to ${pointWords(last)}.`,
      figures: [
        `Its lowest value was ${pointWords(byValue[0])}, its highest ${pointWords(byValue[byValue.length - 1])}.`,
      ],
      caveat:
        nextCursor === null
          ? 'The curve keeps the peaks and lows of the test, not every candle.'
          : 'That is the first part of the curve; the stored backtest has all of it.',
    };
  },
});

const pointWords = ({ time, value }: BacktestPart['equity'][number]): string =>
  `${writePrice(value)} USDT on ${writeDate(time * 1_000)}`;
