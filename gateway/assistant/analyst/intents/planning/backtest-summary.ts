import { decidedArgs } from '../../decided-args.js';
import { defineIntent } from '../../intent.js';
import { counted, sentence } from '../../market-words.js';
import { percentOr } from '../../outcome-words.js';
import { runWords, type BacktestPart } from '../../run-words.js';
import { toldNotes } from '../../told-notes.js';

export const backtestSummaryIntent = defineIntent<BacktestPart>({
  name: 'backtest-summary',
  title: 'the figures of a stored backtest',
  tool: 'get_backtest_result',
  phrases: [
    'figures of that backtest again',
    'summary of the last backtest',
    'show the result of backtest {backtestId}',
    'what was the result of that backtest',
    'repeat the backtest result',
    'open backtest {backtestId}',
    'how did the last test end',
    'give me the numbers of the backtest once more',
    'details of backtest {backtestId}',
    'sharpe of that backtest',
    'how did that backtest go',
    'what came out of that backtest',
    'bring up backtest {backtestId}',
    'remind me of the backtest result',
    'win rate of that backtest',
    'drawdown of that backtest',
    'how much did that backtest make',
    'stats of that backtest',
    'was that backtest profitable',
    'how many trades did that backtest make',
    'profit factor of that backtest',
    'show backtest {backtestId}',
    'open the stored backtest {backtestId}',
    'what was the result of backtest {backtestId}',
    'backtest {backtestId}',
    'how did backtest {backtestId} do',
  ],
  needs: { backtestId: 'Which backtest do you mean? Run one first, or give its id.' },
  takes: [],
  yields: ['run-backtest'],
  args: ({ backtestId }) => decidedArgs({ backtest_id: backtestId, section: 'summary' }),
  answer: ({ summary }) => {
    if (!summary) return { lead: 'There are no figures of this backtest.' };
    const { benchmark, tradeCount, winRate, maxDrawdown, notes } = summary;
    return {
      lead: `${runWords(summary)} closed ${counted(tradeCount, 'trade')}; buying and holding returned ${percentOr(benchmark.totalReturn)}.`,
      figures: [
        `${percentOr(winRate, 'An unknown share')} of the trades gained, and the deepest fall was ${percentOr(maxDrawdown === null ? null : Math.abs(maxDrawdown))}.`,
      ],
      caveat: noteOf(notes),
    };
  },
});

const noteOf = (notes: readonly string[]): string => {
  const [told] = toldNotes(notes);
  return told === undefined ? 'History is no forecast.' : `${sentence(told)}.`;
};
