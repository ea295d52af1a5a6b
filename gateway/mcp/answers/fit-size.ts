import { isByTime } from './answer-text.js';
import { isTableValue, type Table } from './structured-form.js';

/** Most bytes of an answer: structured content and text together. */
const mostBytes = 24 * 1024;

type Structured = Record<string, unknown>;

/**
 * The content, cut until `bytesOf` it is within the limit; `truncated` marks a cut. The largest table or list of objects
 * loses items first, down to one; then the lists inside of that item do. A table in the order of time loses the oldest
 * rows, every other list the last items. Tables over the same times lose the same rows.
 */
export function fitSize(structured: Structured, bytesOf: (content: Structured) => number): Structured {
  let content = structured;
  for (let bytes = bytesOf(content); bytes > mostBytes; bytes = bytesOf(content)) {
    const largest = largestList(content, []);
    if (!largest) return content;
    const { paths, length } = largest;
    // The text says the same rows: the list may be less than what each of them takes.
    const share = 1.02 * Math.min((bytes - mostBytes) / largest.bytes, 1 - mostBytes / bytes);
    const keep = Math.min(length - 1, Math.max(1, Math.floor(length * (1 - share))));
    const cut = paths.reduce<unknown>((whole, path) => shortened(whole, path, keep), content);
    content = { ...(cut as Structured), truncated: true };
  }
  return content;
}

/** A list that can lose items, or the tables of one object over the same times. */
interface FoundList {
  paths: readonly (readonly string[])[];
  length: number;
  bytes: number;
  /** The times of a table in the order of time. */
  times: string | null;
}

/** The list with the most bytes among those that can lose an item. */
function largestList(value: unknown, path: readonly string[]): FoundList | null {
  if (typeof value !== 'object' || value === null) return null;
  const own = isTableValue(value) || isListOfObjects(value) ? foundList(value, path) : null;
  if (own && own.length > 1) return own;
  const inside = partsOf(value).map(([places, each]) => largestList(each, [...path, ...places]));
  return together(inside.filter((each) => each !== null)).reduce<FoundList | null>(
    (most, each) => (each.bytes > (most?.bytes ?? 0) ? each : most),
    null,
  );
}

/** What is inside of a value, each with its place: the cells of a table's only row, else items or fields. */
function partsOf(value: object): (readonly [places: readonly string[], part: unknown])[] {
  if (!isTableValue(value)) return Object.entries(value).map(([name, each]) => [[name], each as unknown]);
  const [row = []] = value.rows;
  return row.map((each, n) => [['rows', '0', String(n)], each]);
}

/** The lists, tables over the same times as one. */
function together(lists: readonly FoundList[]): FoundList[] {
  const byTimes = new Map<string, FoundList>();
  for (const list of lists) {
    const key = list.times ?? JSON.stringify(list.paths);
    const known = byTimes.get(key);
    byTimes.set(key, known ? joined(known, list) : list);
  }
  return [...byTimes.values()];
}

const joined = (one: FoundList, other: FoundList): FoundList => ({
  ...one,
  paths: [...one.paths, ...other.paths],
  bytes: one.bytes + other.bytes,
});

const isListOfObjects = (value: object): value is readonly object[] =>
  Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null);

const foundList = (value: Table | readonly unknown[], path: readonly string[]): FoundList => ({
  paths: [path],
  length: isTableValue(value) ? value.rows.length : value.length,
  bytes: JSON.stringify(value).length,
  times: isTableValue(value) && isByTime(value) ? JSON.stringify(value.rows.map(([time]) => time)) : null,
});

/** The value with the list at the place shortened to so many items. */
function shortened(value: unknown, [name, ...rest]: readonly string[], keep: number): unknown {
  if (name === undefined) return firstOrNewest(value as Table | readonly unknown[], keep);
  if (Array.isArray(value))
    return value.map((each, n) => (String(n) === name ? shortened(each, rest, keep) : (each as unknown)));
  const from = value as Structured;
  return { ...from, [name]: shortened(from[name], rest, keep) };
}

function firstOrNewest(value: Table | readonly unknown[], keep: number): unknown {
  if (!isTableValue(value)) return value.slice(0, keep);
  const { columns, rows } = value;
  return { columns, rows: isByTime(value) ? rows.slice(-keep) : rows.slice(0, keep) };
}
