import type { BacktestOutput } from '../../operations/analysis/backtest.js';
import { signed } from './market-words.js';
import { periodWords } from './outcome-words.js';
import { strategyTitle } from './strategy-title.js';

type StoredRun = Pick<
  BacktestOutput,
  'id' | 'asset' | 'interval' | 'period' | 'strategy' | 'totalReturn' | 'tradeCount'
> & { createdAt: string };

/** A part of a stored backtest, or the list of all, as `get_backtest_result` answers it. */
export interface BacktestPart extends Pick<BacktestOutput, 'trades' | 'equity'> {
  runs: StoredRun[];
  /** Null in other sections. */
  summary: (StoredRun & Pick<BacktestOutput, 'winRate' | 'maxDrawdown' | 'benchmark' | 'notes'>) | null;
  total: number | null;
  nextCursor: string | null;
}

/** A stored backtest in a few words: "EMA cross on BTC (1d, one year, +12 %)". */
export const runWords = ({ strategy, asset, interval, period, totalReturn }: StoredRun): string =>
  `${strategyTitle(strategy)} on ${asset} (${interval}, ${periodWords(period)}, ${totalReturn === null ? 'no return' : signed(totalReturn)})`;
