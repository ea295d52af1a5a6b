import { ignoreProgress } from '../model/progress.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { defineTask } from '../task.js';
import { noTrade, resampleAccount, type MonteCarloReport } from './monte-carlo.js';
import { tradeWindow, type TradeRulesInput } from './trade-rules-task.js';

/** A run of rules, traded again, and how it is resampled. */
export interface LuckOfRulesInput extends Pick<
  TradeRulesInput,
  'assets' | 'interval' | 'strategy' | 'settings'
> {
  paths: number;
  seed: number;
}

/** How much of the result of a run of rules luck could be. Throws `not_enough_history`. */
export const luckOfRulesTask = defineTask({
  name: 'luck-of-rules',
  phases: ['trades', 'candles'],
  run(
    input: LuckOfRulesInput,
    scratch = new ScratchBuffers(),
    onProgress = ignoreProgress,
  ): MonteCarloReport {
    const { run, account } = tradeWindow(input, scratch);
    const { time, equity, candlesHeld, trades } = run;
    const { initialEquity, costs } = account;
    // Of what the closed trades before had made of the account, so that all of them together make its end.
    let worth = initialEquity;
    const tradeReturns = Float64Array.from(trades, ({ gain }) => {
      const share = worth > 0 ? gain / worth : 0;
      worth += gain;
      return share;
    });
    const fills = trades.length === 0 ? noTrade : ownTrades;
    const resampled = { time, equity, candlesHeld, initialEquity, tradeReturns, fills };
    return resampleAccount(resampled, { costs, paths: input.paths, seed: input.seed }, onProgress);
  },
});

const ownTrades =
  'trades of own rules have sizes, directions, and levels that follow from their entries: entered elsewhere they would be others';
