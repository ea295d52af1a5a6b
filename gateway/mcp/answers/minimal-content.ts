import { isTableValue, type Table } from './structured-form.js';

/** Most columns of a table in a minimal answer. */
const fewColumns = 5;

/**
 * The content for `fields=minimal`: optional fields that are null are left out, and top-level tables keep their first
 * columns. The rest still matches the published schema.
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
