import { isTableValue, type Table } from './structured-form.js';

/** The most bytes of an answer: structured content and text together. */
const mostBytes = 24 * 1024;

type Structured = Record<string, unknown>;

/**
 * The content cut until `bytesOf` it is within the limit: the longest table loses rows first, down to one; `truncated` says
 * so. Rows in the order of time lose the oldest, all others the last.
 */
export function fitSize(structured: Structured, bytesOf: (content: Structured) => number): Structured {
  let content = structured;
  for (let bytes = bytesOf(content); bytes > mostBytes; bytes = bytesOf(content)) {
    const largest = largestTable(content, []);
    if (!largest) return content;
    const { path, table, bytes: ofTable } = largest;
    const over = bytes - mostBytes;
    const keep = Math.max(1, Math.floor(table.rows.length * Math.max(0.1, 1 - (1.1 * over) / ofTable)));
    const rows = isByTime(table) ? table.rows.slice(-keep) : table.rows.slice(0, keep);
    content = { ...replaced(content, path, { ...table, rows }), truncated: true };
  }
  return content;
}

interface FoundTable {
  path: readonly string[];
  table: Table;
  bytes: number;
}

/** The table with the most bytes among those that can lose a row. */
function largestTable(value: unknown, path: readonly string[]): FoundTable | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if (isTableValue(value)) {
    return value.rows.length > 1 ? { path, table: value, bytes: JSON.stringify(value).length } : null;
  }
  const found = Object.entries(value).map(([name, each]) => largestTable(each, [...path, name]));
  return found.reduce((most, each) => (each && each.bytes > (most?.bytes ?? 0) ? each : most), null);
}

/** Whether the first column holds times, oldest first. */
function isByTime({ columns, rows }: Table): boolean {
  if (!/(^|_)(time|date|at|month)$/.test(columns[0] ?? '')) return false;
  const [first, last] = [rows[0][0], rows.at(-1)![0]];
  return (typeof first === 'string' || typeof first === 'number') && first < last!;
}

function replaced(content: Structured, [name, ...rest]: readonly string[], table: Table): Structured {
  return {
    ...content,
    [name]: rest.length === 0 ? table : replaced(content[name] as Structured, rest, table),
  };
}
