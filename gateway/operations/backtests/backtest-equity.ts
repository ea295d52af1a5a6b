import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { BacktestResult } from '../../../jobs/definitions/backtest.js';
import { defineOperation } from '../../operation.js';
import { csvTable, type CsvTable } from '../csv-table.js';
import { readBacktest } from './read-backtest.js';
import { backtestId, type BacktestIdInput } from './stored-backtest-fields.js';

/** The equity curve of a stored backtest as a table. */
export const backtestEquity = defineOperation<BacktestIdInput, CsvTable>({
  id: 'backtest-equity',
  summary: 'The equity curve of a stored backtest as CSV, the oldest first; values in quote currency.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
  output: csvTable,
  errors: ['unknown_backtest'],
  async handle({ id }, deps, caller) {
    const { report } = await readBacktest<BacktestResult>(id, deps, caller);
    const rows = report.equity.map(({ time, value }) => [new Date(time * 1_000).toISOString(), value]);
    return { payload: { name: `backtest-${id.slice(0, 12)}-equity`, columns: ['time', 'value'], rows } };
  },
});
