import type { ComponentChildren } from 'preact';
import { Change } from './change.js';
import type { TableColumn } from './data-table.js';
import { numberText, type ShownFigure } from './formats.js';
import { Time } from './time.js';

type Narrow<Row> = TableColumn<Row>['narrow'];

/** The fields of a row that hold such a value. */
type FieldOf<Row, T> = { [K in keyof Row]-?: Row[K] extends T ? K : never }[keyof Row];

/** A field of the row, or what is made of it. */
type Of<Row, T> = FieldOf<Row, T> | ((row: Row) => T);

const valueOf = <Row, T>(of: Of<Row, T>, row: Row): T =>
  typeof of === 'function' ? of(row) : (row[of as keyof Row] as unknown as T);

/** A column of words. One of a field is sorted by it, another where `by` says by what. */
export const wordColumn = <Row,>(
  title: string,
  cell: FieldOf<Row, ShownFigure> | ((row: Row) => ComponentChildren),
  narrow?: Narrow<Row>,
  by?: Of<Row, ShownFigure>,
): TableColumn<Row> => {
  const sortedBy = by ?? (typeof cell === 'function' ? undefined : cell);
  return {
    title,
    cell: (row) => (typeof cell === 'function' ? cell(row) : valueOf(cell, row)),
    ...(narrow && { narrow }),
    ...(sortedBy && { by: (row: Row) => valueOf(sortedBy, row) ?? null }),
  };
};

/** A column of figures, which it is sorted by; `show` writes them. */
export const figureColumn = <Row,>(
  title: string,
  figure: Of<Row, ShownFigure>,
  show: (figure: ShownFigure) => ComponentChildren = (value) => numberText(value),
  narrow?: Narrow<Row>,
): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => show(valueOf(figure, row)),
  by: (row) => numberOf(valueOf(figure, row)),
  ...(narrow && { narrow }),
});

/** A column of figures that are good above zero and bad below: percents, unless `show` writes them otherwise. */
export const changeColumn = <Row,>(
  title: string,
  figure: Of<Row, ShownFigure>,
  narrow?: Narrow<Row>,
  show?: (figure: ShownFigure) => string,
): TableColumn<Row> =>
  figureColumn(title, figure, (value) => <Change value={value} text={show?.(value)} />, narrow);

/** A column of moments. */
export const timeColumn = <Row,>(
  title: string,
  at: Of<Row, string | null>,
  narrow?: Narrow<Row>,
  to?: 'day' | 'second',
): TableColumn<Row> =>
  wordColumn(
    title,
    (row) => <Time at={valueOf(at, row)} {...(to && { to })} />,
    narrow,
    (row) => valueOf(at, row),
  );

const numberOf = (figure: ShownFigure): number | null =>
  figure === null || figure === undefined ? null : Number(figure);
