import type { ResearchResult } from '../../../jobs/definitions/research-backtest.js';
import { backtestTable } from '../backtests/backtest-tables.js';

const columns = [
  'asset',
  'side',
  'entryTime',
  'exitTime',
  'entryPrice',
  'exitPrice',
  'quantity',
  'return',
  'gain',
  'candles',
  'exitReason',
] as const satisfies readonly (keyof ResearchResult['trades'][number])[];

/** The trades of a stored run of rules as a table. */
export const runTrades = backtestTable<ResearchResult>({
  kind: 'research',
  part: 'trades',
  summary:
    'The trades of a stored run of your own rules as CSV, in the order of closing; returns in percent.',
  columns,
  rows: ({ trades }) => trades.map((trade) => columns.map((column) => trade[column])),
});
