import { cutText } from './cut-text.js';
import { isByTime } from './is-by-time.js';
import { isTableValue, type Table } from './structured-form.js';
import { valueText, withoutMidnights } from './value-text.js';

/** Most rows of a table in text; the other rows are only in the structured content. */
const shownRows = 20;
/** Most characters of a text in a cell, and of a table in a cell. */
const longestCell = 120;
const longestInside = 300;
/** Inner tables that are too long for a cell are written below the table if it has at most this many rows. */
const mostWrittenOut = 10;

interface Column {
  title: string;
  cells: readonly string[];
}

/**
 * A table as lines with bars between the cells: its first rows, or its newest rows if it is in the order of time. Small
 * inner tables are written in their cells, large ones below the table.
 */
export function tableLines(name: string, table: Table): string[] {
  const { columns, rows } = table;
  if (rows.length === 0) return [`${name}: none`];
  const newest = isByTime(table);
  const shown = newest ? rows.slice(-shownRows) : rows.slice(0, shownRows);
  const below = columns.filter((_, n) => isWrittenBelow(shown.map((row) => row[n])));
  const written = columns.flatMap((column, n) =>
    below.includes(column)
      ? []
      : [
          columnText(
            column,
            shown.map((row) => row[n]),
          ),
        ],
  );
  const left = rows.length - shown.length;
  return [
    `${name}:`,
    written.map(({ title }) => title).join(' | '),
    ...shown.map((_, n) => written.map(({ cells }) => cells[n]).join(' | ')),
    ...(left > 0 ? [`(${left} ${newest ? 'older' : 'more'} rows in the structured content)`] : []),
    ...below.flatMap((column) => linesBelow(name, column, columns, shown)),
  ];
}

/** The tables of a column, each called by the first cell of its row. */
function linesBelow(
  name: string,
  column: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): string[] {
  const at = columns.indexOf(column);
  return rows.flatMap((row) => {
    const inside = row[at];
    const whose = valueText(columns[0], row[0], longestCell);
    return isTableValue(inside) ? tableLines(`${name}.${column} of ${columns[0]} ${whose}`, inside) : [];
  });
}

const isWrittenBelow = (cells: readonly unknown[]): boolean =>
  cells.length <= mostWrittenOut &&
  cells.some((cell) => isTableValue(cell) && insideText(cell).length > longestInside);

function columnText(name: string, cells: readonly unknown[]): Column {
  const inside = cells.find(isTableValue);
  if (inside) {
    const texts = cells.map((cell) => (isTableValue(cell) ? insideText(cell) : '-'));
    return {
      title: `${name} (${inside.columns.join(', ')})`,
      cells: texts.map((text) => cutText(text, longestInside)),
    };
  }
  return { title: name, cells: withoutMidnights(cells.map((cell) => valueText(name, cell, longestCell))) };
}

/** The rows of a table inside of a cell: values with commas, rows with semicolons between them. */
const insideText = ({ columns, rows }: Table): string =>
  rows.length === 0
    ? '-'
    : rows.map((row) => row.map((cell, n) => insideCell(columns[n], cell)).join(', ')).join('; ');

const insideCell = (name: string, cell: unknown): string =>
  isTableValue(cell) ? `(${insideText(cell)})` : valueText(name, cell, longestCell);
