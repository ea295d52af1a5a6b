import { candleColumns } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { faultOf, type CandleRow } from '../candles/candle-row.js';
import { CsvRecords } from './csv-records.js';
import { detectFormat, timeText, type CandleFormat, type GivenFormat } from './detect-format.js';
import { openCandleText, type CandleText } from './open-candle-text.js';

/** A line of the file: a candle, or the reason why the line is refused. */
export type CandleLine = { line: number; row: CandleRow } | { line: number; refused: string };

export interface ReadCandleFileOptions extends GivenFormat {
  /** Candles that are not closed at this time are refused. */
  nowMs: number;
  /** Called before the first line with what was detected, in one line. */
  onDetected?: ((words: string) => void) | undefined;
}

/** Enough for a month of hours, so that dates show whether the day or the month is first. */
const sampleChars = 65_536;

/**
 * Reads the lines of a candle file in file order: CSV of any dialect, with names of columns or without, times in any unit, plain,
 * gzipped or in a zip archive; JSON of freqtrade; Arrow files (feather). What is not given is detected. Blank lines are skipped. Throws `invalid_file` where the
 * file cannot be read to its end, and where its format cannot be told; the message then names the option to give.
 */
export async function* readCandleFile(
  path: string,
  options: ReadCandleFileOptions,
): AsyncGenerator<CandleLine> {
  const { texts, made } = await openCandleText(path, options.base ?? '');
  try {
    const { start, rest } = await takeSample(path, texts);
    const format = formatFrom(path, start, withMade(options, made));
    options.onDetected?.(made ? `${made.words}, ${format.words}` : format.words);
    yield* linesFrom(path, rest, format, options);
  } finally {
    // Closes the file when its format cannot be told.
    await texts.return(undefined);
  }
}

/** What is known of lines that were made of a file of another kind. */
const withMade = (given: GivenFormat, made: CandleText['made']): GivenFormat =>
  made ? { ...given, columns: made.columns, delimiter: ',' } : given;

async function* linesFrom(
  path: string,
  texts: AsyncIterable<string>,
  format: CandleFormat,
  options: ReadCandleFileOptions,
): AsyncGenerator<CandleLine> {
  const records = new CsvRecords(format.delimiter);
  const read = (batch: ReturnType<CsvRecords['push']>) => linesOf(batch, format, options);
  try {
    for await (const text of texts) {
      yield* read(records.push(text));
      if (records.fault !== undefined) break;
    }
    if (records.fault === undefined) yield* read(records.end());
    if (records.fault !== undefined) throw unreadable(path, records.fault);
  } finally {
    records.close();
  }
}

/** The start of the text up to the end of its last whole line, for the detection; and the whole text. */
async function takeSample(
  path: string,
  texts: AsyncGenerator<string>,
): Promise<{ start: string; rest: AsyncGenerator<string> }> {
  let start = '';
  let fault: unknown;
  let isWhole = false;
  try {
    while (start.length < sampleChars && !isWhole) {
      const next = await texts.next();
      if (next.done === true) isWhole = true;
      else start += next.value;
    }
  } catch (error) {
    if (start === '') throw error;
    fault = error;
  }
  if (start.trim() === '') throw new AppError('invalid_file', `"${path}" is empty`);
  return { start: isWhole ? start : start.slice(0, start.lastIndexOf('\n') + 1) || start, rest: whole() };

  async function* whole() {
    yield start;
    // The lines before the fault are read first.
    if (fault !== undefined) throw fault as Error;
    yield* texts;
  }
}

function formatFrom(path: string, start: string, given: GivenFormat): CandleFormat {
  try {
    return detectFormat(start, given);
  } catch (error) {
    throw unreadable(path, (error as Error).message);
  }
}

const unreadable = (path: string, why: string) =>
  new AppError('invalid_file', `"${path}" can't be read: ${why}`);

function* linesOf(
  records: ReturnType<CsvRecords['push']>,
  { firstLine, positions, time, numbers }: CandleFormat,
  { nowMs, interval }: ReadCandleFileOptions,
): Generator<CandleLine> {
  const columns = candleColumns.slice(1).map((name) => ({ name, position: positions[name] }));
  for (const { line, cells } of records) {
    if (line < firstLine || (cells.length === 1 && cells[0].trim() === '')) continue;
    const row = [time.read(timeText(cells, positions))] as unknown as CandleRow;
    let refused = Number.isNaN(row[0]) ? 'time is neither a date nor a number of a known unit' : null;
    for (let index = 0; refused === null && index < columns.length; index++) {
      const { name, position } = columns[index];
      const value = numbers.read(cells[position] ?? '');
      if (Number.isNaN(value)) refused = `${name} is not a number`;
      row.push(value);
    }
    refused ??= faultOf(row, nowMs, interval);
    yield refused === null ? { line, row } : { line, refused };
  }
}
