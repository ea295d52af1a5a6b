import { readFile, stat } from 'node:fs/promises';
import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { arrowLines } from './arrow-lines.js';
import { firstBytes, openText } from './open-text.js';

/** A string of V8 holds no more; 600,000 candles are 40 million. */
const mostChars = 400_000_000;

const rowsAtOnce = 2_000;

/**
 * Lines of CSV made of a JSON list of lists, as freqtrade stores candles: [[time, open, high, low, close, volume], ...]. Throws an
 * `Error` for another JSON.
 */
async function* jsonLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  const parts: string[] = [];
  let chars = 0;
  for await (const text of texts) {
    chars += text.length;
    if (chars > mostChars) throw new Error(`it is JSON of more than ${mostChars} characters`);
    parts.push(text);
  }
  const rows = parse(parts.join(''));
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    yield rows
      .slice(from, from + rowsAtOnce)
      .map((row) => `${Array.isArray(row) ? row.map(cell).join() : ''}\n`)
      .join('');
}

function parse(text: string): unknown[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    throw new Error(`its JSON is broken: ${(error as Error).message.slice(0, 200)}`, { cause: error });
  }
  if (Array.isArray(rows) && (rows.length === 0 || Array.isArray(rows[0]))) return rows;
  throw new Error('its JSON is no list of candles; expected [[time, open, high, low, close, volume], ...]');
}

/** A number as text; what is none becomes a cell without a number. */
const cell = (value: unknown): string =>
  typeof value === 'number' || (typeof value === 'string' && /^[\w.+-]+$/.test(value)) ? String(value) : '?';

/** The text of a candle file, as CSV. */
export interface CandleText {
  texts: AsyncGenerator<string>;
  /** For files that are no CSV: what they are, and the columns of the lines that were made of them. */
  made?: { words: string; columns: readonly string[] };
}

/** Arrow files are read as a whole. */
const mostArrowBytes = 2 ** 30;

/**
 * The lines of a candle file: CSV as it is, and lines made of the rows of JSON as freqtrade writes it, and of Arrow files
 * (feather). The number of a line is then that of the row. `base` helps to find the columns. Throws `invalid_file`.
 */
export async function openCandleText(path: string, base: string): Promise<CandleText> {
  const refuse = (why: string, cause?: unknown) =>
    new AppError('invalid_file', `"${path}" can't be read: ${why}`, { cause });
  const magic = await firstBytes(path, 6).catch((error: unknown) => {
    throw refuse((error as Error).message, error);
  });
  if (magic.startsWith('FEA1'))
    throw refuse('it is a feather file of version 1; save it as version 2 (pandas writes that by itself)');
  if (magic === 'ARROW1') {
    const { size } = await stat(path);
    if (size > mostArrowBytes) throw refuse(`it has ${size} bytes; expected at most ${mostArrowBytes}`);
    const lines = arrowLines(await readFile(path), { base, mostBytes: mostArrowBytes });
    return { texts: guarded(lines, refuse), made: { words: 'Arrow file', columns: candleColumns } };
  }
  const texts = openText(path);
  const first = await texts.next();
  const whole = rejoined(first, texts);
  if (first.done === true || !/^\s*\[/.test(first.value)) return { texts: whole };
  return { texts: guarded(jsonLines(whole), refuse), made: { words: 'JSON', columns: candleColumns } };
}

async function* rejoined(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** Names the file in errors. */
async function* guarded(
  lines: AsyncIterable<string>,
  refuse: (why: string, cause?: unknown) => AppError,
): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw error instanceof AppError ? error : refuse((error as Error).message, error);
  }
}
