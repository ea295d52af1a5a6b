import Joi from 'joi';

/** A cell; null is an empty one. */
export type CsvCell = string | number | null;

/** The result of an operation that answers with a table. */
export interface CsvTable {
  /** The name of the file without its ending. */
  name: string;
  columns: readonly string[];
  rows: readonly (readonly CsvCell[])[];
}

const cell = Joi.alternatives(Joi.string(), Joi.number()).allow(null);

export const csvTable = Joi.object<CsvTable>({
  name: Joi.string().required().description('name of the file without its ending'),
  columns: Joi.array().items(Joi.string()).required().description('names of the columns'),
  rows: Joi.array()
    .items(Joi.array().items(cell))
    .required()
    .description('cells in the order of the columns'),
});

/** A table as CSV (RFC 4180): a header line, lines that end with CR LF, quotes only where they are needed. */
export const csvText = ({ columns, rows }: Pick<CsvTable, 'columns' | 'rows'>): string =>
  [columns, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');

function cellText(cell: CsvCell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
