import { isTableValue, type Table } from './structured-form.js';

/** Most bytes of an answer: structured content and text together. */
const mostBytes = 24 * 1024;

type Structured = Record<string, unknown>;

/**
 * The content cut until `bytesOf` it is within the limit: the largest table or list of objects loses items first, down to
 * one; `truncated` says so. A table in the order of time loses the oldest rows, everything else the last items.
 */
export function fitSize(structured: Structured, bytesOf: (content: Structured) => number): Structured {
  let content = structured;
  for (let bytes = bytesOf(content); bytes > mostBytes; bytes = bytesOf(content)) {
    const largest = largestList(content, []);
    if (!largest) return content;
    const { path, value, length } = largest;
    const share = (1.02 * (bytes - mostBytes)) / largest.bytes;
    const keep = Math.min(length - 1, Math.max(1, Math.floor(length * (1 - share))));
    content = { ...(replaced(content, path, shortened(value, keep)) as Structured), truncated: true };
  }
  return content;
}

interface FoundList {
  path: readonly string[];
  value: Table | readonly unknown[];
  length: number;
  bytes: number;
}

/** The list or table with the most bytes among those that can lose an item. */
function largestList(value: unknown, path: readonly string[]): FoundList | null {
  if (typeof value !== 'object' || value === null) return null;
  const own = isTableValue(value) || isListOfObjects(value) ? foundList(value, path) : null;
  if (isTableValue(value) || (own && own.length > 1)) return own && own.length > 1 ? own : null;
  const inside = Object.entries(value).map(([name, each]) => largestList(each, [...path, name]));
  return inside.reduce((most, each) => (each && each.bytes > (most?.bytes ?? 0) ? each : most), null);
}

const isListOfObjects = (value: object): value is readonly object[] =>
  Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null);

const foundList = (value: Table | readonly unknown[], path: readonly string[]): FoundList => ({
  path,
  value,
  length: isTableValue(value) ? value.rows.length : value.length,
  bytes: JSON.stringify(value).length,
});

function shortened(value: Table | readonly unknown[], keep: number): unknown {
  if (!isTableValue(value)) return value.slice(0, keep);
  const { columns, rows } = value;
  return { columns, rows: isByTime(value) ? rows.slice(-keep) : rows.slice(0, keep) };
}

/** Whether the first column holds times, oldest first. */
function isByTime({ columns, rows }: Table): boolean {
  if (!/(^|_)(time|date|at|month)$/.test(columns[0] ?? '')) return false;
  const [first, last] = [rows[0][0], rows.at(-1)![0]];
  return (typeof first === 'string' || typeof first === 'number') && first < last!;
}

/** The value with another one at the place. */
function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((each, n) => (String(n) === name ? replaced(each, rest, by) : (each as unknown)));
  const from = value as Structured;
  return { ...from, [name]: replaced(from[name], rest, by) };
}
