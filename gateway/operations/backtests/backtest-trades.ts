import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { defineOperation } from '../../operation.js';
import { csvTable, type CsvTable } from '../csv-table.js';
import { readBacktest } from './read-backtest.js';
import { backtestId, type BacktestIdInput } from './stored-backtest-fields.js';

const columns = [
  ...['entryTime', 'exitTime', 'entryDate', 'exitDate'],
  ...['entryPrice', 'exitPrice', 'return', 'exitReason'],
] as const satisfies readonly (keyof BacktestResult['trades'][number])[];

/** The trades of a stored backtest as a table. */
export const backtestTrades = defineOperation<BacktestIdInput, CsvTable>({
  id: 'backtest-trades',
  summary: 'The trades of a stored backtest as CSV, the oldest first; returns in percent.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
  output: csvTable,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { report } = await readBacktest<BacktestResult>(id, deps, caller);
    const rows = report.trades.map((trade) => columns.map((column) => trade[column] ?? null));
    return { payload: { name: `backtest-${id.slice(0, 12)}-trades`, columns, rows } };
  },
});
