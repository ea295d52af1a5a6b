import { isTableValue, type Table } from './structured-form.js';
import { isReason, valueText, withoutMidnights } from './value-text.js';

/** Rows of a table in text where the caller has not said how many it wants. */
export const usualRows = 20;
/** Most characters of a text in a cell, and in a cell of a table of few rows. */
const longestCell = 120;
const longestCellOfFew = 2_000;
const fewRows = 5;

/**
 * A table as lines with bars between the cells: its first rows, or its newest rows if it is in the order of time, and how to get
 * the others. The tables of a column stand below as one table, each row behind the first cell of its outer row.
 */
function tableLines(name: string, table: Table, mostRows: number): string[] {
  const { columns, rows } = table;
  if (rows.length === 0) return [`${name}: none`];
  const newest = isByTime(table);
  const shown = newest ? rows.slice(-mostRows) : rows.slice(0, mostRows);
  const longest = shown.length > fewRows ? longestCell : longestCellOfFew;
  const written = columns
    .map((title, n) => ({ title, n, cells: columnText(title, shown, n, longest) }))
    .filter(
      ({ title, n, cells }) =>
        !shown.some((row) => isTableValue(row[n])) &&
        !(isReason(title) && cells.every((cell) => cell === '-')),
    );
  const left = rows.length - shown.length;
  return [
    `${name}:`,
    written.map(({ title }) => title).join(' | '),
    ...shown.map((_, n) => written.map(({ cells }) => cells[n]).join(' | ')),
    ...(left > 0
      ? [`(${left} ${newest ? 'older' : 'more'} rows: pass limit ${rows.length} to read them)`]
      : []),
    ...(mostRows < Infinity && written.some(({ cells }) => cells.some((cell) => cell.endsWith('…')))
      ? [`(… is cut: pass limit ${fewRows} to read texts whole)`]
      : []),
    ...columns.flatMap((column, n) => linesInside(`${name}.${column}`, columns[0], shown, n)),
  ];
}

const columnText = (name: string, rows: Table['rows'], at: number, longest: number): readonly string[] =>
  withoutMidnights(rows.map((row) => valueText(name, row[at], longest)));

/** The tables in the cells of a column as one, with the first column of the outer table before theirs. */
function linesInside(name: string, key: string, rows: Table['rows'], at: number): string[] {
  const [first] = rows.map((row) => row[at]).filter(isTableValue);
  if (first === undefined) return [];
  const inside = rows.flatMap((row) => {
    const cell = row[at];
    return isTableValue(cell) ? cell.rows.map((each) => [row[0], ...each]) : [];
  });
  return tableLines(name, { columns: [key, ...first.columns], rows: inside }, Infinity);
}

/** Whether the first column of a table holds times, the oldest first. */
export function isByTime({ columns, rows }: Table): boolean {
  if (rows.length === 0 || !/(^|_)(time|date|at|month)$/.test(columns[0] ?? '')) return false;
  const [first, last] = [rows[0][0], rows.at(-1)![0]];
  return (typeof first === 'string' || typeof first === 'number') && first < last!;
}

/** Most characters of a text outside of tables. */
const longestText = 400;
/** A text of at least this many characters is left out if the headline contains it. */
const shortestSaid = 40;

/**
 * The text of an answer, made from its structured content: headline, then single values, then tables of `mostRows` at most. Numbers
 * are rounded for reading.
 */
export function answerText(
  headline: string,
  structured: Readonly<Record<string, unknown>>,
  mostRows: number,
): string {
  const isSaid = (value: unknown) =>
    typeof value === 'string' && value.length >= shortestSaid && headline.includes(value);
  const unsaid = Object.entries(withSeries(structured)).filter(
    ([, value]) => value !== undefined && !isSaid(value),
  );
  return [headline, ...linesOf(unsaid, '', mostRows)].join('\n');
}

/** Lists over the same `times`, at the top and in the cells of tables, as one table with a column for each. */
function withSeries({ times, ...others }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Array.isArray(times)) return { ...(times === undefined ? {} : { times }), ...others };
  const columns = [{ title: 'time', cells: times as unknown[] }];
  const without = (name: string, value: unknown): unknown => {
    if (Array.isArray(value) && value.length === times.length) {
      columns.push({ title: name, cells: value });
      return undefined;
    }
    if (!isTableValue(value)) return value;
    const rows = value.rows.map((row) =>
      row.map((cell) => without([...new Set([...name.split(' '), row[0]])].join(' ').trim(), cell)),
    );
    const left = value.columns.map((_, n) => rows.length === 0 || rows.some((row) => row[n] !== undefined));
    const kept = <T>(row: readonly T[]): T[] => row.filter((_, n) => left[n]);
    return { columns: kept(value.columns), rows: rows.map(kept) };
  };
  const rest = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, without(isTableValue(value) ? '' : name, value)]),
  );
  const series = {
    columns: columns.map(({ title }) => title),
    rows: times.map((_, n) => columns.map(({ cells }) => cells[n])),
  };
  return { ...rest, series };
}

/** Single values in one line, tables and nested objects after them. */
function linesOf(
  entries: readonly (readonly [string, unknown])[],
  prefix: string,
  mostRows: number,
): string[] {
  const single = entries.filter(
    ([name, value]) => isSingle(value) && !(isReason(name) && (value === null || value === undefined)),
  );
  const line = single.map(([name, value]) => `${name}: ${valueText(name, value, longestText)}`).join(', ');
  const nested = entries
    .filter(([, value]) => !isSingle(value))
    .flatMap(([name, value]) => partLines(prefix + name, value, mostRows));
  return [...(line === '' ? [] : [prefix === '' ? line : `${prefix.slice(0, -1)}: ${line}`]), ...nested];
}

function partLines(name: string, value: unknown, mostRows: number): string[] {
  if (isTableValue(value)) return tableLines(name, value, mostRows);
  if (Array.isArray(value)) return value.flatMap((each, n) => partLines(`${name}[${n}]`, each, mostRows));
  return linesOf(Object.entries(value as object), `${name}.`, mostRows);
}

const isSingle = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null));
