import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { backtestTable } from './backtest-table.js';

const columns = [
  'entryTime',
  'exitTime',
  'entryDate',
  'exitDate',
  'entryPrice',
  'exitPrice',
  'return',
  'exitReason',
] as const satisfies readonly (keyof BacktestResult['trades'][number])[];

/** The trades of a stored backtest as a table. */
export const backtestTrades = backtestTable<BacktestResult>({
  kind: 'builtIn',
  part: 'trades',
  summary: 'The trades of a stored backtest as CSV, the oldest first; returns in percent.',
  columns,
  rows: ({ trades }) => trades.map((trade) => columns.map((column) => trade[column] ?? null)),
});
