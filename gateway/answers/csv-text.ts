import type { CsvCell, CsvTable } from '../operations/csv-table.js';

/** A table as CSV (RFC 4180): a header line, lines that end with CR LF, quotes only where they are needed. */
export const csvText = ({ columns, rows }: Pick<CsvTable, 'columns' | 'rows'>): string =>
  [columns, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');

function cellText(cell: CsvCell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
