import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface TableColumn<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; without it the column can't be sorted. */
  by?: (row: Row) => number | string | null;
  isNumber?: boolean;
  /** Where it stands on a phone, whose rows have two lines; `none` leaves it out. */
  narrow?: 'start' | 'end' | 'below' | 'below-end' | 'none';
}

interface DataTableProps<Row> {
  /** What the table is, for those who don't see where it stands. */
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Said instead of rows. */
  empty?: ComponentChildren;
  /** Whether it is as wide as it needs, and scrolls sideways on a phone. */
  isWide?: boolean;
}

/** A table whose columns can be sorted; on a phone or a tablet each row has two lines. Roles are said, because styles that make lines drop them. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  isWide = false,
}: DataTableProps<Row>) {
  const [sort, setSort] = useState({ at: -1, down: false });
  if (rows.length === 0) return <p class="empty">{empty ?? 'Nothing yet.'}</p>;
  const shown = sorted(rows, columns[sort.at]?.by, sort.down);
  const table = (
    <table role="table" class={isWide ? 'wide' : 'lines'}>
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, by, isNumber }, at) => (
            <th
              key={at}
              role="columnheader"
              scope="col"
              class={isNumber ? 'number' : undefined}
              aria-sort={by && sort.at === at ? (sort.down ? 'descending' : 'ascending') : undefined}
            >
              {by ? (
                <button
                  type="button"
                  class="sort"
                  onClick={() => setSort({ at, down: sort.at === at && !sort.down })}
                >
                  {title}
                </button>
              ) : (
                title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shown.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, isNumber, narrow = 'none' }, at) => (
              <td key={at} role="cell" data-title={title} class={`${isNumber ? 'number' : ''} at-${narrow}`}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!isWide) return table;
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      {table}
    </div>
  );
}

function sorted<Row>(rows: readonly Row[], by: TableColumn<Row>['by'], down: boolean): readonly Row[] {
  if (!by) return rows;
  const direction = down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [by(a), by(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return x === y ? 0 : x < y ? -direction : direction;
  });
}
