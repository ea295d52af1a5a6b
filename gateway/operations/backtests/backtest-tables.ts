import type { RunKind } from '../../../storage/backtests/backtests.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { defineOperation } from '../../operation.js';
import { csvTable, type CsvTable } from '../csv-table.js';
import { readBacktest } from './stored-backtests.js';
import { backtestIdInput } from './stored-runs.js';
import type { ResearchResult } from '../../../jobs/definitions/research-backtest.js';

interface BacktestTableOptions<Report> {
  kind: RunKind;
  /** What of the backtest it is, for the id of the operation and the name of the file. */
  part: string;
  summary: string;
  columns: readonly string[];
  rows: (report: Report) => CsvTable['rows'];
}

const names: Record<RunKind, string> = { builtIn: 'backtest', research: 'run' };

/** An operation that answers a part of a stored backtest as a table. */
const backtestTable = <Report>({ kind, part, summary, columns, rows }: BacktestTableOptions<Report>) =>
  defineOperation({
    id: `${names[kind]}-${part}`,
    summary,
    scope: 'user',
    tokenScope: 'read:analysis',
    isLight: true,
    input: backtestIdInput,
    output: csvTable,
    errors: ['unknown_backtest'],
    async handle({ id }, deps, caller) {
      const { report } = await readBacktest<Report, RunKind>(kind, id, deps, caller);
      return { payload: { name: `${names[kind]}-${id.slice(0, 12)}-${part}`, columns, rows: rows(report) } };
    },
  });

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

const runTradesColumns = [
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
  columns: runTradesColumns,
  rows: ({ trades }) => trades.map((trade) => runTradesColumns.map((column) => trade[column])),
});
