import { readFile, stat } from 'node:fs/promises';
import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { arrowLines } from './arrow-lines.js';
import { jsonLines } from './json-lines.js';
import { firstBytes, openText } from './open-text.js';

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
