import { candleColumns, type CandleColumn } from '../../compute/model/candles.js';
import { isNumber } from './candle-number.js';
import { dateColumn, missingColumns, positionsNamed, type ColumnPositions } from './column-names.js';
import type { CsvRecord } from './csv-records.js';

const commonOrder: ColumnPositions = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };

/** The share of rows whose prices must fit an order; the others are faulty. */
const enough = 0.9;

/**
 * Where the columns of a file without names stand: time, open, high, low, close, volume, which the values have to confirm.
 * Throws an `Error` that asks for the names where the number of columns is not known, or the values allow another order.
 */
function unnamedPositions(rows: readonly (readonly string[])[]): {
  positions: ColumnPositions;
  source: string;
} {
  const source = sourceOf(rows);
  if (source === undefined)
    throw new Error(`it has ${rows[0].length} columns without names; say what each holds by --columns`);
  const prices = rows.map((cells) =>
    [1, 2, 3, 4].map((position) => Number(cells[position].replace(',', '.'))),
  );
  const fitting = orders.filter((order) => fits(prices, order));
  if (fitting.length === 1 && fitting[0].high === 1 && fitting[0].low === 2)
    return { positions: commonOrder, source };
  const why =
    fitting.length > 1
      ? 'the values fit several orders of the columns'
      : 'the values do not fit the order time, open, high, low, close, volume';
  throw new Error(`it has no names of columns, and ${why}; say what each holds by --columns`);
}

/** Every place of the high and the low among the four prices. */
const orders = [0, 1, 2, 3].flatMap((high) =>
  [0, 1, 2, 3].filter((low) => low !== high).map((low) => ({ high, low })),
);

function fits(rows: readonly number[][], { high, low }: { high: number; low: number }): boolean {
  const fitting = rows.filter((row) => row[high] === Math.max(...row) && row[low] === Math.min(...row));
  return fitting.length >= rows.length * enough;
}

/** The known layout with this number of columns, if the values confirm it; undefined for other files. */
function sourceOf(rows: readonly (readonly string[])[]): string | undefined {
  const [{ length }] = rows;
  const every = (holds: (cells: readonly string[]) => boolean) => rows.every(holds);
  if (length === 6) return '6 columns';
  if (length === 7 && every((cells) => /^\d+$/.test(cells[6]))) return '7 columns as in files of Kraken';
  const closesAfter = every((cells) => Number(cells[6]) > Number(cells[0]));
  return (length === 11 || length === 12) && closesAfter
    ? `${length} columns as in files of Binance`
    : undefined;
}

/** Where the columns of a candle stand in the records of a file. */
export interface ColumnLayout {
  positions: ColumnPositions;
  /** The first record that may hold a candle. */
  from: CsvRecord;
  /** How the columns are named, in a few words. */
  words: string;
  /** The name of a column in messages. */
  nameOf: (column: CandleColumn) => string;
}

/** How many records are searched for a header: titles, addresses and remarks may stand before it. */
const mostRemarks = 20;

const isBlank = (cells: readonly string[]) => cells.length === 1 && cells[0].trim() === '';

const isRemark = ({ cells }: CsvRecord) => isBlank(cells) || /^\s*(#|\/\/|https?:|sep=)/i.test(cells[0]);

/**
 * The layout of a file by its first records, or by the names that are given for its columns. Throws an `Error` that says
 * which columns are missing.
 */
export function columnLayout(
  records: readonly CsvRecord[],
  { columns, base = '' }: { columns?: readonly string[] | undefined; base?: string | undefined },
): ColumnLayout {
  const first = records.find((record) => !isRemark(record));
  if (first === undefined) throw new Error('it holds no line of data');
  if (columns !== undefined) return givenLayout(records, columns);
  const header = records.slice(0, mostRemarks).find(({ cells }) => missingColumns(cells, base).length === 0);
  if (header !== undefined) return namedLayout(records, header, base);
  if (isData(first.cells)) return unnamedLayout(records, first);
  const missing = missingColumns(first.cells, base);
  throw new Error(
    `line ${first.line} names no column "${missing.join('", "')}", found "${shortened(first.cells.join())}"; say what each column holds by --columns`,
  );
}

function namedLayout(records: readonly CsvRecord[], header: CsvRecord, base: string): ColumnLayout {
  const from = records[records.indexOf(header) + 1] ?? { line: Infinity, cells: [] };
  const positions = withClock(positionsNamed(header.cells, base), header, from);
  const nameOf = (column: CandleColumn) => `"${header.cells[positions[column]].trim()}"`;
  return { positions, from, words: `names in line ${header.line}`, nameOf };
}

/** MetaTrader writes the date into one column and the time of day into another. */
function withClock(positions: ColumnPositions, header: CsvRecord, { cells }: CsvRecord): ColumnPositions {
  const date = dateColumn(header.cells);
  const isClock = /^\s*\d{1,2}:\d{2}(:\d{2})?\s*$/.test(cells[positions.time] ?? '');
  return isClock && date !== -1 ? { ...positions, time: date, clock: positions.time } : positions;
}

function givenLayout(records: readonly CsvRecord[], columns: readonly string[]): ColumnLayout {
  const positions = Object.fromEntries(candleColumns.map((column) => [column, columns.indexOf(column)]));
  const values = candleColumns.slice(1).map((column) => positions[column]);
  const from = records.find(({ cells }) =>
    values.some((position) => isNumber(cells[position]?.trim() ?? '')),
  );
  if (from === undefined)
    throw new Error('no line has a number where --columns names open, high, low, close and volume');
  return {
    positions: positions as unknown as ColumnPositions,
    from,
    words: 'columns as given',
    nameOf: numbered(positions as unknown as ColumnPositions),
  };
}

function unnamedLayout(records: readonly CsvRecord[], from: CsvRecord): ColumnLayout {
  const { positions, source } = unnamedPositions(records.map(({ cells }) => cells).filter(isData));
  return { positions, from, words: `no names, ${source}`, nameOf: numbered(positions) };
}

const numbered = (positions: ColumnPositions) => (column: CandleColumn) => `column ${positions[column] + 1}`;

/** Whether a record may be a candle: a time and at least five numbers. */
const isData = (cells: readonly string[]): boolean =>
  cells.length >= candleColumns.length && cells.slice(1, 6).every((cell) => isNumber(cell.trim()));

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
