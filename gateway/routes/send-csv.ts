import type { ParameterizedContext } from 'koa';
import { csvText } from '../answers/csv-text.js';
import { roundFigures } from '../answers/round-figures.js';
import type { OperationResult } from '../operation.js';
import type { CsvTable } from '../operations/csv-table.js';

/** Sends a table as a CSV file to be saved. */
export function sendCsv(ctx: ParameterizedContext, { payload }: OperationResult<CsvTable>): void {
  ctx.status = 200;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/csv; charset=utf-8; header=present');
  ctx.set('Content-Disposition', `attachment; filename="${payload.name}.csv"`);
  ctx.body = csvText(roundFigures(payload));
}
