import { decidedArgs } from '../../decided-args.js';
import { writeDate } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { runWords, type BacktestPart } from '../../run-words.js';

const mostTold = 5;

export const backtestRunsIntent = defineIntent<BacktestPart>({
  name: 'backtest-runs',
  title: 'the backtests you have stored',
  tool: 'get_backtest_result',
  phrases: [
    'show my recent backtests',
    'which backtests did i run',
    'list my stored backtest results',
    'my backtests',
    'what have i tested so far',
    'past backtest runs',
    'backtest history',
    'the last {count} backtests i ran',
    'results of my earlier simulations',
    'do i have stored backtests',
    'open my old backtests',
    'saved strategy tests',
    'what backtests do i have',
    'find my earlier backtests',
    'tests i ran last week',
    'which runs are saved',
    'list my runs',
    'anything i backtested on {asset}',
    'my backtest archive',
    'what was the last thing i backtested',
    'list the last {count} backtests i ran',
    'which backtests have i saved',
    'my recent backtests',
    'bring up my stored backtests',
    'show my stored backtests',
  ],
  needs: {},
  takes: ['count'],
  yields: ['run-backtest'],
  args: ({ count }) => decidedArgs({ limit: count }),
  answer: ({ runs, nextCursor }) => {
    const [newest, ...others] = runs;
    if (!newest)
      return {
        lead: 'You have no stored backtests yet.',
        next: 'Ask for one, such as "backtest the EMA cross on BTC".',
      };
    return {
      lead: `Your newest backtest is ${runWords(newest)}, run on ${writeDate(newest.createdAt)}.`,
      figures:
        others.length === 0
          ? []
          : [
              `Before that: ${others
                .slice(0, mostTold - 1)
                .map(runWords)
                .join('; ')}.`,
            ],
      ...(others.length >= mostTold || nextCursor !== null
        ? { caveat: 'Older ones are left out here.' }
        : {}),
    };
  },
});
