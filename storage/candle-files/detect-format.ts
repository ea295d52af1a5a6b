import { intervalMs, sourceIntervals, type SourceInterval } from '../../compute/model/interval.js';
import { candleColumns } from '../../compute/model/candles.js';
import { detectNumbers, type DecimalMark, type NumberReader } from './candle-number.js';
import { detectTime, type GivenTime, type TimeReader } from './candle-time.js';
import { columnLayout, type ColumnLayout } from './column-layout.js';
import type { ColumnPositions } from './column-names.js';
import { CsvRecords, type CsvRecord } from './csv-records.js';

/** Fewer equal steps between candles may be gaps. */
const leastSteps = 10;

/**
 * Throws an `Error` if these times are those of candles of another length: minutes and days begin at full hours as well, and
 * would be stored as hours. Gaps in candles of the interval are no such case.
 */
function requireInterval(times: readonly number[], interval: SourceInterval): void {
  const ascending = [...new Set(times.filter((time) => Number.isFinite(time)))].sort((a, b) => a - b);
  const steps = new Map<number, number>();
  for (let i = 1; i < ascending.length; i++) {
    const step = ascending[i] - ascending[i - 1];
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const expectedMs = intervalMs(interval);
  const [[step, count] = [expectedMs, 0]] = [...steps].sort(([, left], [, right]) => right - left);
  if (step === expectedMs || count < leastSteps || count * 2 <= ascending.length - 1) return;
  const other = sourceIntervals.find((each) => intervalMs(each) === step);
  const longer = interval === '1h' ? '4h and 1d' : 'longer ones';
  const hint = other === undefined ? `from which ${longer} are made` : `or --interval ${other}`;
  throw new Error(`its candles are ${wordsOf(step)} apart; expected candles of ${interval}, ${hint}`);
}

/** A length of time in its largest whole unit. */
function wordsOf(ms: number): string {
  const units: [unit: string, ms: number][] = [
    ['days', 86_400_000],
    ['hours', 3_600_000],
    ['minutes', 60_000],
    ['seconds', 1_000],
  ];
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / length} ${ms === length ? unit.replace(/s$/, '') : unit}`;
}

/** What the caller says of a candle file. Each part that is left out is detected. */
export interface GivenFormat extends GivenTime {
  /** The columns in their order: names of `candleColumns`, and `-` for each column that is not read. */
  columns?: readonly string[] | undefined;
  delimiter?: string | undefined;
  decimalMark?: DecimalMark | undefined;
  /** Length of the candles; 1h by default. */
  interval?: SourceInterval | undefined;
  /** The asset of the pair, because files with two volumes name their columns by the assets. */
  base?: string | undefined;
}

/** How a candle file is read. */
export interface CandleFormat {
  delimiter: string;
  firstLine: number;
  positions: ColumnPositions;
  time: TimeReader;
  numbers: NumberReader;
  /** What was detected, in one line. */
  words: string;
}

/** The delimiters that are detected, with their names in messages. */
const delimiters: Record<string, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

interface Attempt {
  delimiter: string;
  records: CsvRecord[];
  layout?: ColumnLayout;
  fault?: Error;
}

/** The format of a file by the start of its text. Throws an `Error` that names the option to give where that is not enough. */
export function detectFormat(start: string, given: GivenFormat): CandleFormat {
  const tried = given.delimiter === undefined ? Object.keys(delimiters) : [given.delimiter];
  const attempts = tried.map((delimiter) => attempt(start, delimiter, given));
  const found = attempts.filter(({ layout }) => layout !== undefined);
  if (found.length > 1) {
    const words = found.map(({ delimiter }) => delimiters[delimiter]).join(' or ');
    throw new Error(`its columns may be separated by ${words}; say which by --delimiter`);
  }
  if (found.length === 0) throw likeliest(attempts).fault!;
  return formatOf(found[0].delimiter, found[0].records, found[0].layout!, given);
}

function attempt(start: string, delimiter: string, given: GivenFormat): Attempt {
  const records = recordsOf(start, delimiter);
  try {
    return { delimiter, records, layout: columnLayout(records, given) };
  } catch (error) {
    return { delimiter, records, fault: error as Error };
  }
}

/** The attempt whose delimiter makes the most columns: the file most probably has that delimiter. */
const likeliest = (attempts: readonly Attempt[]): Attempt =>
  attempts.reduce((best, each) => (width(each) > width(best) ? each : best));

const width = ({ records }: Attempt) => Math.max(0, ...records.slice(0, 20).map(({ cells }) => cells.length));

function recordsOf(start: string, delimiter: string): CsvRecord[] {
  const records = new CsvRecords(delimiter);
  try {
    const read = records.push(start);
    return records.fault === undefined ? [...read, ...records.end()] : read;
  } finally {
    records.close();
  }
}

function formatOf(
  delimiter: string,
  records: readonly CsvRecord[],
  { positions, from, words, nameOf }: ColumnLayout,
  given: GivenFormat,
): CandleFormat {
  const rows = records.filter(({ line }) => line >= from.line).map(({ cells }) => cells);
  const values = rows.flatMap((cells) =>
    candleColumns.slice(1).map((name) => cells[positions[name]]?.trim() ?? ''),
  );
  const numbers = detectNumbers(values, given.decimalMark);
  const times = rows.map((cells) => timeText(cells, positions)).filter((text) => text !== '');
  const time = times.length === 0 ? noTime : detectTime(times, given);
  requireInterval(
    times.map((text) => time.read(text)),
    given.interval ?? '1h',
  );
  const parts = [
    `separated by ${delimiters[delimiter] ?? `"${delimiter}"`}`,
    words,
    `time in ${nameOf('time')}${time.words}`,
    `volume in ${nameOf('volume')}`,
    ...(numbers.decimalMark === 'comma' ? ['decimal commas'] : []),
  ];
  return { delimiter, firstLine: from.line, positions, time, numbers, words: parts.join(', ') };
}

const noTime: TimeReader = { words: '', read: () => NaN };

/** The text of the time of a record, from one column or from two. */
export function timeText(cells: readonly string[], { time, clock }: ColumnPositions): string {
  const text = cells[time]?.trim() ?? '';
  return clock === undefined ? text : `${text} ${cells[clock]?.trim() ?? ''}`;
}
