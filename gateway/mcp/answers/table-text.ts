import { isByTime } from './is-by-time.js';
import { isTableValue, type Table } from './structured-form.js';
import { isReason, valueText, withoutMidnights } from './value-text.js';

/** Rows of a table in text where the caller has not said how many it wants. */
export const usualRows = 20;
/** Most characters of a text in a cell. */
const longestCell = 120;

/**
 * A table as lines with bars between the cells: its first rows, or its newest rows if it is in the order of time, and how to get
 * the others. The tables of a column stand below as one table, each row behind the first cell of its outer row.
 */
export function tableLines(name: string, table: Table, mostRows: number): string[] {
  const { columns, rows } = table;
  if (rows.length === 0) return [`${name}: none`];
  const newest = isByTime(table);
  const shown = newest ? rows.slice(-mostRows) : rows.slice(0, mostRows);
  const written = columns
    .map((title, n) => ({ title, n, cells: columnText(title, shown, n) }))
    .filter(
      ({ title, n, cells }) =>
        !shown.some((row) => isTableValue(row[n])) &&
        !(isReason(title) && cells.every((cell) => cell === '-')),
    );
  const left = rows.length - shown.length;
  return [
    `${name}:`,
    written.map(({ title }) => title).join(' | '),
    ...shown.map((_, n) => written.map(({ cells }) => cells[n]).join(' | ')),
    ...(left > 0
      ? [`(${left} ${newest ? 'older' : 'more'} rows: pass limit ${rows.length} to read them)`]
      : []),
    ...columns.flatMap((column, n) => linesInside(`${name}.${column}`, columns[0], shown, n)),
  ];
}

const columnText = (name: string, rows: Table['rows'], at: number): readonly string[] =>
  withoutMidnights(rows.map((row) => valueText(name, row[at], longestCell)));

/** The tables in the cells of a column as one, with the first column of the outer table before theirs. */
function linesInside(name: string, key: string, rows: Table['rows'], at: number): string[] {
  const [first] = rows.map((row) => row[at]).filter(isTableValue);
  if (first === undefined) return [];
  const inside = rows.flatMap((row) => {
    const cell = row[at];
    return isTableValue(cell) ? cell.rows.map((each) => [row[0], ...each]) : [];
  });
  return tableLines(name, { columns: [key, ...first.columns], rows: inside }, Infinity);
}
