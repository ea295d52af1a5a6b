import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, mediaSignal, Select } from './controls.js';
import { numberText, type ShownFigure } from './formats.js';
import { Change, Time } from './marks.js';

export interface TableColumn<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** What rows are sorted by; without it the column can't be sorted. */
  by?: ((row: Row) => number | string | null) | undefined;
  isNumber?: boolean;
  /** Where it stands on a phone, whose rows have two lines; without it the column is left out there. */
  narrow?: 'start' | 'end' | 'below' | 'below-end' | undefined;
}

type Narrow = TableColumn<never>['narrow'];

/** The fields of a row that hold such a value. */
type FieldOf<Row, T> = { [K in keyof Row]-?: Row[K] extends T ? K : never }[keyof Row];

/** A field of the row, or what is made of it. */
type Of<Row, T> = FieldOf<Row, T> | ((row: Row) => T);

const valueOf = <Row, T>(of: Of<Row, T>, row: Row): T =>
  typeof of === 'function' ? of(row) : (row[of as keyof Row] as unknown as T);

/** A column of words. One of a field is sorted by it, another where `by` says by what. */
const wordColumn = <Row,>(
  title: string,
  cell: FieldOf<Row, ShownFigure> | ((row: Row) => ComponentChildren),
  narrow?: Narrow,
  by: Of<Row, ShownFigure> | undefined = typeof cell === 'function' ? undefined : cell,
): TableColumn<Row> => ({
  title,
  cell: (row) => (typeof cell === 'function' ? cell(row) : valueOf(cell, row)),
  narrow,
  by: by && ((row) => valueOf(by, row) ?? null),
});

/** A column of figures, which it is sorted by; `show` writes them. */
const figureColumn = <Row,>(
  title: string,
  figure: Of<Row, ShownFigure>,
  show: (figure: ShownFigure) => ComponentChildren = (value) => numberText(value),
  narrow?: Narrow,
): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => show(valueOf(figure, row)),
  narrow,
  by: (row) => {
    const value = valueOf(figure, row) ?? null;
    return value === null ? null : Number(value);
  },
});

/** A column of figures that are good above zero and bad below: percents, unless `show` writes them otherwise. */
const changeColumn = <Row,>(
  title: string,
  figure: Of<Row, ShownFigure>,
  narrow?: Narrow,
  show?: (figure: ShownFigure) => string,
): TableColumn<Row> =>
  figureColumn(title, figure, (value) => <Change value={value} text={show?.(value)} />, narrow);

/** A column of moments. */
const timeColumn = <Row,>(
  title: string,
  at: Of<Row, string | null>,
  narrow?: Narrow,
  to?: 'day' | 'second',
): TableColumn<Row> =>
  wordColumn(
    title,
    (row) => <Time at={valueOf(at, row)} to={to} />,
    narrow,
    (row) => valueOf(at, row),
  );

/** Where a row leads, its name, what stands beside the name, and what stands beside the link. */
type RowLink = readonly [to: string, name: string, more?: string | null, beside?: ComponentChildren];

/** The first column of a table whose rows lead to a page. */
const link = <Row,>(
  title: string,
  of: (row: Row) => RowLink,
  by: FieldOf<Row, ShownFigure>,
): TableColumn<Row> => {
  const cell = ([to, name, more, beside]: RowLink) => (
    <>
      <a class="asset" href={to}>
        <strong>{name}</strong> <span class="quiet">{more}</span>
      </a>{' '}
      {beside}
    </>
  );
  return wordColumn(title, (row) => cell(of(row)), 'start', by);
};

/** Makes the columns of a table. A column shows a field of the row, or the result of a function of the row. */
export const column = {
  word: wordColumn,
  link,
  figure: figureColumn,
  change: changeColumn,
  time: timeColumn,
};

interface Sort {
  at: number;
  down: boolean;
}

export interface DataTableProps<Row> {
  /** What the table is, for those who don't see where it stands. */
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  keyOf: Of<Row, string | number>;
  /** Said instead of rows. */
  empty?: ComponentChildren;
  /** Whether it is as wide as it needs, and scrolls sideways on a phone. */
  isWide?: boolean;
}

/** Whether rows have two lines, under which no head is seen; as in the stylesheet. */
const isNarrow = mediaSignal('(max-width: 56rem)');

/** A table whose columns can be sorted; on a phone or a tablet each row has two lines. Roles are said, because styles that make lines drop them. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, keyOf, empty = 'Nothing yet.', isWide = false } = props;
  const [sort, setSort] = useState<Sort>({ at: -1, down: false });
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const table = (
    <table role="table" class={isWide ? undefined : 'lines'}>
      <caption class="unseen">{caption}</caption>
      <thead role="rowgroup" class={!isWide && isNarrow.value ? 'unseen' : undefined}>
        <tr role="row">
          {columns.map(({ title, by, isNumber }, at) => (
            <th
              key={at}
              role="columnheader"
              scope="col"
              class={isNumber ? 'number' : undefined}
              aria-sort={by && sort.at === at ? (sort.down ? 'descending' : 'ascending') : undefined}
            >
              {by && (isWide || !isNarrow.value) ? (
                <Button class="sort" onClick={() => setSort({ at, down: sort.at === at && !sort.down })}>
                  {title}
                </Button>
              ) : (
                title
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {sorted(rows, columns[sort.at]?.by, sort.down).map((row) => (
          <tr key={valueOf(keyOf, row)} role="row">
            {columns.map(({ title, cell, isNumber, narrow = 'none' }, at) => {
              const kind = `${isNumber ? 'number' : ''} at-${narrow}`;
              return (
                <td key={at} role="cell" data-title={title} class={kind}>
                  {cell(row)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
  const region = isWide && { role: 'region' as const, 'aria-label': caption, tabIndex: 0 };
  return (
    <>
      {!isWide && isNarrow.value && rows.length > 1 && <SortBy {...{ columns, sort, setSort }} />}
      <div class={isWide ? 'scroll' : 'fitted'} {...region}>
        {table}
      </div>
    </>
  );
}

interface SortByProps {
  columns: readonly TableColumn<never>[];
  sort: Sort;
  setSort: (sort: Sort) => void;
}

/** What a table without a head is sorted by. */
function SortBy({ columns, sort, setSort }: SortByProps) {
  const ways = columns.flatMap(({ title, by }, at) =>
    by ? [`${title} ▴`, `${title} ▾`].map((text, n): [string, string] => [`${at} ${n}`, text]) : [],
  );
  const choose = (chosen: string) => {
    const [at, down] = chosen.split(' ').map(Number);
    setSort({ at, down: down === 1 });
  };
  return (
    <p>
      Sort by{' '}
      <Select
        aria-label="Sort by"
        value={`${sort.at} ${Number(sort.down)}`}
        options={{ '-1 0': 'as listed', ...(Object.fromEntries(ways) as Record<string, string>) }}
        onChange={choose}
      />
    </p>
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
