import type { ColumnPositions } from './column-names.js';

const commonOrder: ColumnPositions = { time: 0, open: 1, high: 2, low: 3, close: 4, volume: 5 };

/** The share of rows whose prices must fit an order; the others are faulty. */
const enough = 0.9;

/**
 * Where the columns of a file without names stand: time, open, high, low, close, volume, which the values have to confirm.
 * Throws an `Error` that asks for the names where the number of columns is not known, or the values allow another order.
 */
export function unnamedPositions(rows: readonly (readonly string[])[]): {
  positions: ColumnPositions;
  source: string;
} {
  const source = sourceOf(rows);
  if (source === undefined)
    throw new Error(`it has ${rows[0].length} columns without names; say what each holds by --columns`);
  const prices = rows.map((cells) =>
    [1, 2, 3, 4].map((position) => Number(cells[position].replace(',', '.'))),
  );
  const fitting = orders.filter((order) => fits(prices, order));
  if (fitting.length === 1 && fitting[0].high === 1 && fitting[0].low === 2)
    return { positions: commonOrder, source };
  const why =
    fitting.length > 1
      ? 'the values fit several orders of the columns'
      : 'the values do not fit the order time, open, high, low, close, volume';
  throw new Error(`it has no names of columns, and ${why}; say what each holds by --columns`);
}

/** Every place of the high and the low among the four prices. */
const orders = [0, 1, 2, 3].flatMap((high) =>
  [0, 1, 2, 3].filter((low) => low !== high).map((low) => ({ high, low })),
);

function fits(rows: readonly number[][], { high, low }: { high: number; low: number }): boolean {
  const fitting = rows.filter((row) => row[high] === Math.max(...row) && row[low] === Math.min(...row));
  return fitting.length >= rows.length * enough;
}

/** The known layout with this number of columns, if the values confirm it; undefined for other files. */
function sourceOf(rows: readonly (readonly string[])[]): string | undefined {
  const [{ length }] = rows;
  const every = (holds: (cells: readonly string[]) => boolean) => rows.every(holds);
  if (length === 6) return '6 columns';
  if (length === 7 && every((cells) => /^\d+$/.test(cells[6]))) return '7 columns as in files of Kraken';
  const closesAfter = every((cells) => Number(cells[6]) > Number(cells[0]));
  return (length === 11 || length === 12) && closesAfter
    ? `${length} columns as in files of Binance`
    : undefined;
}
