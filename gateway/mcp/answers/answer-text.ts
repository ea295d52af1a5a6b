import { isTableValue } from './structured-form.js';
import { tableLines } from './table-text.js';
import { isReason, valueText } from './value-text.js';

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
  const unsaid = Object.entries(structured).filter(([, value]) => !isSaid(value));
  return [headline, ...linesOf(unsaid, '', mostRows)].join('\n');
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
