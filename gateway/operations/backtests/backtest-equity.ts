import type { RunKind } from '../../../storage/backtests/backtests.js';
import { backtestTable } from './backtest-table.js';

interface EquityReport {
  equity: { time: number; value: number; benchmark: number; drawdownPercent: number }[];
}

const equityTable = (kind: RunKind, of: string) =>
  backtestTable<EquityReport>({
    kind,
    part: 'equity',
    summary: `The equity curve of a stored ${of} as CSV, the oldest first; values in quote currency.`,
    columns: ['time', 'value', 'benchmark', 'drawdownPercent'],
    rows: ({ equity }) =>
      equity.map(({ time, value, benchmark, drawdownPercent }) => [
        new Date(time * 1_000).toISOString(),
        value,
        benchmark,
        drawdownPercent,
      ]),
  });

/** The equity curve of a stored backtest as a table. */
export const backtestEquity = equityTable('builtIn', 'backtest');

/** The equity curve of a stored run of rules as a table. */
export const runEquity = equityTable('research', 'run of your own rules');
