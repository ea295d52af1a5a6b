import { isTableValue, type Table } from './structured-form.js';

/** Columns of a table in a minimal answer. */
const fewColumns = 5;

/**
 * The content for `fields=minimal`: fields that may be absent or null go, and tables keep their first columns. What remains
 * still has the documented shape.
 */
export function minimalContent(
  content: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> {
  const kept = Object.entries(content).filter(([name, value]) => required.includes(name) || value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isTableValue(value) ? narrowed(value) : value]),
  );
}

const narrowed = ({ columns, rows }: Table): Table => ({
  columns: columns.slice(0, fewColumns),
  rows: rows.map((row) => row.slice(0, fewColumns)),
});
