import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { faultOf, type CandleRow } from '../candles/candle-row.js';

/** A line of the file: a candle, or the reason why the line is refused. */
export type CsvLine = { line: number; row: CandleRow } | { line: number; refused: string };

/** An unclosed quote would otherwise read the rest of the file into one record. */
const maxRecordBytes = 65_536;

const csvOptions = {
  bom: true,
  max_record_size: maxRecordBytes,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // A quote inside an unquoted cell belongs to the cell: that line is refused, not the file.
  relax_quotes: true,
};

/**
 * Reads the lines of a CSV file of 1h candles, plain or gzipped, in file order. The first line names the columns, which
 * must include time, open, high, low, close and volume. Blank lines are skipped. A candle that is not closed at `nowMs`
 * is refused. Throws `invalid_file` when the file cannot be read to its end or lacks a column.
 */
export async function* readCandleCsv(path: string, nowMs: number): AsyncGenerator<CsvLine> {
  let positions: number[] | null = null;
  let line = 0;
  for await (const cells of recordsOf(path)) {
    line++;
    if (positions === null) positions = positionsOf(cells, path);
    else if (!isBlank(cells)) yield { line, ...parseRow(cells, positions, nowMs) };
    line += lineBreaksIn(cells);
  }
  if (positions === null) throw new AppError('invalid_file', `"${path}" is empty`);
}

/** The records of the file. Each chunk is parsed and read before the next one: an error loses no record before it. */
async function* recordsOf(path: string): AsyncGenerator<string[]> {
  const parser = parse(csvOptions);
  // The loop below throws the error.
  parser.on('error', () => undefined);
  try {
    for await (const chunk of await openText(path)) {
      parser.write(chunk);
      for (let cells: unknown = parser.read(); cells !== null; cells = parser.read()) yield cells as string[];
      if (parser.errored) throw parser.errored;
    }
    parser.end();
    yield* parser as AsyncIterable<string[]>;
  } catch (error) {
    throw new AppError('invalid_file', `"${path}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    parser.destroy();
  }
}

/** The file as a stream of text; a gzipped file is recognized by its first two bytes. */
async function openText(path: string): Promise<Readable> {
  const gzipped = await isGzipped(path);
  const bytes = createReadStream(path);
  if (!gzipped) return bytes;
  const inflated = createGunzip();
  // The reader of `inflated` receives the error of either stream.
  pipeline(bytes, inflated, () => undefined);
  return inflated;
}

async function isGzipped(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

function positionsOf(header: readonly string[], path: string): number[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = candleColumns.filter((column) => !names.includes(column));
  if (missing.length === 0) return candleColumns.map((column) => names.indexOf(column));
  const text = header.join();
  const found = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  const message = `"${path}" lacks the column "${missing.join('", "')}"; the first line must name ${candleColumns.join(',')}, found "${found}"`;
  throw new AppError('invalid_file', message);
}

const isBlank = (cells: readonly string[]): boolean => cells.length === 1 && cells[0].trim() === '';

/** Quoted cells may contain line breaks. */
function lineBreaksIn(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) if (cell.includes('\n')) breaks += cell.split('\n').length - 1;
  return breaks;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parseRow(
  cells: readonly string[],
  positions: number[],
  nowMs: number,
): { row: CandleRow } | { refused: string } {
  const row = [] as unknown as CandleRow;
  for (let index = 0; index < positions.length; index++) {
    const text = cells[positions[index]]?.trim() ?? '';
    const value = Number(text);
    if (!decimal.test(text) || !Number.isFinite(value)) {
      return { refused: `${candleColumns[index]} is not a number` };
    }
    row.push(value);
  }
  const refused = faultOf(row, nowMs);
  return refused === null ? { row } : { refused };
}
