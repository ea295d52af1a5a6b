import type { Table } from './structured-form.js';

/** Whether the first column of a table holds times, the oldest first. */
export function isByTime({ columns, rows }: Table): boolean {
  if (rows.length === 0 || !/(^|_)(time|date|at|month)$/.test(columns[0] ?? '')) return false;
  const [first, last] = [rows[0][0], rows.at(-1)![0]];
  return (typeof first === 'string' || typeof first === 'number') && first < last!;
}
