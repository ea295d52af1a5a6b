import { formatNumber } from '../../../compute/model/format-number.js';
import { isTableValue, type Table } from './structured-form.js';

/** Rows of a table in text; the others are in the structured content alone. */
const shownRows = 20;
/** Characters of a text cell. */
const longestCell = 120;

/** The text of an answer, made from its structured content: headline, then single values, then tables. Numbers are rounded for reading. */
export function answerText(headline: string, structured: Readonly<Record<string, unknown>>): string {
  return [headline, ...linesOf(structured, '')].join('\n');
}

/** Single values in one line, tables and nested objects after them. */
function linesOf(object: Readonly<Record<string, unknown>>, prefix: string): string[] {
  const entries = Object.entries(object);
  const single = entries.filter(([, value]) => isSingle(value));
  const line = single.map(([name, value]) => `${name}: ${cellText(value)}`).join(', ');
  const nested = entries
    .filter(([, value]) => !isSingle(value))
    .flatMap(([name, value]) => partLines(prefix + name, value));
  return [...(line === '' ? [] : [prefix === '' ? line : `${prefix.slice(0, -1)}: ${line}`]), ...nested];
}

function partLines(name: string, value: unknown): string[] {
  if (isTableValue(value)) return tableLines(name, value);
  if (Array.isArray(value)) return value.flatMap((each, n) => partLines(`${name}[${n}]`, each));
  return linesOf(value as Record<string, unknown>, `${name}.`);
}

/** A table as lines with bars, its first rows only. */
function tableLines(name: string, { columns, rows }: Table): string[] {
  if (rows.length === 0) return [`${name}: none`];
  const left = rows.length - shownRows;
  return [
    `${name}:`,
    columns.join(' | '),
    ...rows.slice(0, shownRows).map((row) => row.map(cellText).join(' | ')),
    ...(left > 0 ? [`(${left} more rows in the structured content)`] : []),
  ];
}

const isSingle = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null));

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'number') return formatNumber(value);
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellText).join(' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '/');
  return line.length > longestCell ? `${line.slice(0, longestCell)}…` : line;
}
