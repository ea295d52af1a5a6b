import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { faultOf, type CandleRow } from '../candles/candle-row.js';

/** A line of the file: a candle, or why it is none. */
export type CsvLine = { line: number; row: CandleRow } | { line: number; refused: string };

/**
 * The lines of a CSV file of 1h candles (gzipped or not), in the order of the file. The first line names the
 * columns; time, open, high, low, close and volume must be among them. Candles not over at `nowMs` are refused.
 * Throws `invalid_file` when the file can't be read, is cut off, or lacks a column.
 */
export async function* readCandleCsv(path: string, nowMs: number): AsyncGenerator<CsvLine> {
  let positions: number[] | null = null;
  let line = 0;
  for await (const text of linesOf(path)) {
    line++;
    if (positions === null) positions = positionsOf(text, path);
    else if (text.trim() !== '') yield { line, ...parseRow(text.split(','), positions, nowMs) };
  }
  if (positions === null) throw new AppError('invalid_file', `"${path}" is empty`);
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: await openText(path), crlfDelay: Infinity });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('invalid_file', `"${path}" can't be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** The file as a stream of text, inflated when its first bytes say that it is gzipped. */
async function openText(path: string): Promise<Readable> {
  const gzipped = await isGzipped(path);
  const bytes = createReadStream(path);
  if (!gzipped) return bytes;
  const inflated = createGunzip();
  // A fault of either stream shows where the lines are read.
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

function positionsOf(header: string, path: string): number[] {
  const names = header
    .replace(/^\uFEFF/, '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const missing = candleColumns.filter((column) => !names.includes(column));
  if (missing.length === 0) return candleColumns.map((column) => names.indexOf(column));
  const found = header.length > 80 ? `${header.slice(0, 80)}…` : header;
  const message = `"${path}" lacks the column "${missing.join('", "')}"; the first line must name ${candleColumns.join(',')}, found "${found}"`;
  throw new AppError('invalid_file', message);
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parseRow(
  cells: string[],
  positions: number[],
  nowMs: number,
): { row: CandleRow } | { refused: string } {
  const row = [] as unknown as CandleRow;
  for (const [index, position] of positions.entries()) {
    const text = cells[position]?.trim() ?? '';
    const value = Number(text);
    if (!decimal.test(text) || !Number.isFinite(value)) {
      return { refused: `${candleColumns[index]} is not a number` };
    }
    row.push(value);
  }
  const refused = faultOf(row, nowMs);
  return refused === null ? { row } : { refused };
}
