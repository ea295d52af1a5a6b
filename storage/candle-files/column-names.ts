import { candleColumns, type CandleColumn } from '../../compute/model/candles.js';

/** Where the six columns of a candle stand in a record, from 0. */
export interface ColumnPositions extends Record<CandleColumn, number> {
  /** A second column, with the time of day where the first one holds the date. */
  clock?: number;
}

/**
 * The names of each column in the files of exchanges and data services, the preferred ones first, as `plain` makes them.
 * `<base>` is the asset of the pair.
 */
const knownNames: Record<CandleColumn, readonly string[]> = {
  time: [
    'time',
    'opentime',
    'timestamp',
    'unixtimestamp',
    'unixtime',
    'unix',
    'datetime',
    'candletime',
    'starttime',
    'start',
    'timeperiodstart',
    'candlebegintime',
    'timeopen',
    'gmttime',
    'localtime',
    'ts',
    't',
    'datetimeutc',
    'timeutc',
    'timestamputc',
    'dateutc',
    'date',
  ],
  open: ['open', 'openprice', 'priceopen', 'o'],
  high: ['high', 'highprice', 'pricehigh', 'max', 'h'],
  low: ['low', 'lowprice', 'pricelow', 'min', 'l'],
  close: ['close', 'closeprice', 'priceclose', 'closelast', 'c'],
  volume: [
    'volume<base>',
    'vol<base>',
    'volume',
    'vol',
    'basevolume',
    'volumebase',
    'volumefrom',
    'volumetraded',
    'v',
  ],
};

/** `Volume BTC`, `volume_btc` and `<VOLUME>(BTC)` alike; `1. open` without its number. */
const plain = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^\d+[.:]\s*/, '')
    .replaceAll(/[^a-z0-9]/g, '');

/** The columns that a header does not name. */
export function missingColumns(cells: readonly string[], base: string): CandleColumn[] {
  const names = cells.map(plain);
  return candleColumns.filter((column) => namesOf(column, base).every((name) => !names.includes(name)));
}

/** Where a header names the columns. Throws an `Error` for two columns of one name. */
export function positionsNamed(cells: readonly string[], base: string): ColumnPositions {
  const names = cells.map(plain);
  const positions = Object.fromEntries(candleColumns.map((column) => [column, findColumn(column)]));
  return positions as unknown as ColumnPositions;

  function findColumn(column: CandleColumn): number {
    const known = namesOf(column, base).find((name) => names.includes(name))!;
    const position = names.indexOf(known);
    if (names.includes(known, position + 1))
      throw new Error(`two columns are named "${cells[position].trim()}"; say which is which by --columns`);
    return position;
  }
}

const namesOf = (column: CandleColumn, base: string) =>
  knownNames[column].map((name) => name.replace('<base>', base.toLowerCase()));

/** The position of the date where the time of day has a column of its own, as in files of MetaTrader; -1 if there is none. */
export function dateColumn(cells: readonly string[]): number {
  return cells.map(plain).indexOf('date');
}
