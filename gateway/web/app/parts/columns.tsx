import type { ComponentChildren } from 'preact';
import { Change } from './change.js';
import type { TableColumn } from './data-table.js';
import { numberText } from './formats.js';
import { Time } from './time.js';

type Narrow<Row> = TableColumn<Row>['narrow'];
type Figure = number | string | null | undefined;

/** A column of words; it can be sorted where `by` says by what. */
export const wordColumn = <Row,>(
  title: string,
  cell: TableColumn<Row>['cell'],
  narrow?: Narrow<Row>,
  by?: TableColumn<Row>['by'],
): TableColumn<Row> => ({ title, cell, ...(narrow && { narrow }), ...(by && { by }) });

/** A column of figures, which it is sorted by; `show` writes them. */
export const figureColumn = <Row, F extends Figure = number | null>(
  title: string,
  figure: (row: Row) => F,
  show: (figure: F, row: Row) => ComponentChildren = (value) => numberText(value as number | null),
  narrow?: Narrow<Row>,
): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => show(figure(row), row),
  by: (row) => numberOf(figure(row)),
  ...(narrow && { narrow }),
});

/** A column of figures that are good above zero and bad below: percents, unless `show` writes them otherwise. */
export const changeColumn = <Row,>(
  title: string,
  figure: (row: Row) => number | null,
  narrow?: Narrow<Row>,
  show?: (figure: number | null) => string,
): TableColumn<Row> =>
  figureColumn(
    title,
    figure,
    (value) => <Change value={value} {...(show && { text: show(value) })} />,
    narrow,
  );

/** A column of moments. */
export const timeColumn = <Row,>(
  title: string,
  at: (row: Row) => string | null,
  narrow?: Narrow<Row>,
  to?: 'day' | 'second',
): TableColumn<Row> => wordColumn(title, (row) => <Time at={at(row)} {...(to && { to })} />, narrow, at);

const numberOf = (figure: Figure): number | null =>
  figure === null || figure === undefined ? null : Number(figure);
