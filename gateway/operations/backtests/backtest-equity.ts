import { backtestTable } from './backtest-table.js';

/** The equity curve of a stored backtest as a table. */
export const backtestEquity = backtestTable({
  part: 'equity',
  summary: 'The equity curve of a stored backtest as CSV, the oldest first; values in quote currency.',
  columns: ['time', 'value', 'benchmark', 'drawdownPercent'],
  rows: ({ equity }) =>
    equity.map(({ time, value, benchmark, drawdownPercent }) => [
      new Date(time * 1_000).toISOString(),
      ...[value, benchmark, drawdownPercent],
    ]),
});
