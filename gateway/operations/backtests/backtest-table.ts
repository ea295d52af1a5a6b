import Joi from 'joi';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { RunKind } from '../../../storage/backtests/backtests.js';
import { defineOperation, type Operation } from '../../operation.js';
import { csvTable, type CsvTable } from '../csv-table.js';
import { readBacktest } from './read-backtest.js';
import { backtestId, type BacktestIdInput } from './stored-backtest-fields.js';

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
export const backtestTable = <Report>({
  kind,
  part,
  summary,
  columns,
  rows,
}: BacktestTableOptions<Report>): Operation<BacktestIdInput, CsvTable> =>
  defineOperation<BacktestIdInput, CsvTable>({
    id: `${names[kind]}-${part}`,
    summary,
    scope: 'user',
    tokenScope: 'read:analysis',
    cost: 1,
    isLight: true,
    input: Joi.object<BacktestIdInput>(keysOf({ id: backtestId })),
    output: csvTable,
    errors: ['unknown_backtest'],
    async handle({ id }, deps, caller) {
      const { report } = await readBacktest<Report, RunKind>(kind, id, deps, caller);
      return { payload: { name: `${names[kind]}-${id.slice(0, 12)}-${part}`, columns, rows: rows(report) } };
    },
  });
