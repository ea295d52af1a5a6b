import {
  candleColumns,
  sliceCandles,
  candleBytes,
  candlesOver,
  copyCandles,
  type Candles,
} from '../../compute/model/candles.js';
import { digestOfMonths } from '../../storage/candles/candle-block.js';
import type { ReadMonth, SeriesMonth } from '../../storage/candles/candle-reader.js';

/**
 * Candles in memory that threads share, with space for more at the end. Readers get views that end at the last candle of that
 * time. Later candles are written behind all views, so what a reader sees never changes.
 */
export class SharedColumns {
  readonly capacity: number;
  readonly #all: Candles;
  /** How many candles are in use: a reader may have a view of them. */
  #written = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#all = candlesOver(new SharedArrayBuffer(candleBytes(capacity)), capacity);
  }

  get bytes(): number {
    return candleBytes(this.capacity);
  }

  /**
   * Writes `parts` after the first `count` candles and returns views of all candles. Returns null and writes nothing when that
   * would overwrite candles in use, or when there is not enough space.
   */
  append(count: number, parts: readonly Candles[]): Candles | null {
    const end = parts.reduce((sum, { time }) => sum + time.length, count);
    if (count !== this.#written || end > this.capacity) return null;
    for (const part of parts) {
      copyCandles(part, this.#all, this.#written);
      this.#written += part.time.length;
    }
    return sliceCandles(this.#all, 0, end);
  }
}

/**
 * The candles of a series at one time. A version never changes, so threads can read it without locks. A later version that
 * only adds candles at the end shares its memory and writes behind it; any other version has its own memory.
 */
export interface SeriesVersion {
  columns: SharedColumns;
  months: readonly SeriesMonth[];
  /** Views of the beginning of `columns`. */
  candles: Candles;
  /** SHA-256 of the candles: equal on every node for equal candles. */
  contentDigest: string;
}

/** What a read found: all candles, more candles at the end, changed earlier candles, or nothing new. */
export type ReadKind = 'whole' | 'append' | 'change' | 'none';

/** The version after a read. `spare` is the number of later candles that new memory has space for. */
export function nextVersion(
  held: SeriesVersion | undefined,
  read: readonly ReadMonth[],
  spare: number,
): { kind: ReadKind; version: SeriesVersion } {
  const contentDigest = digestOfMonths(read);
  if (held?.contentDigest === contentDigest) return { kind: 'none', version: held };
  const months = read.map(({ month, count, digest }) => ({ month, count, digest }));
  const added = held && addedTo(held, read);
  const kind = added ? 'append' : held ? 'change' : 'whole';
  const appended = added && held.columns.append(held.candles.time.length, added);
  if (appended) return { kind, version: { columns: held.columns, months, candles: appended, contentDigest } };
  const count = months.reduce((sum, month) => sum + month.count, 0);
  const columns = new SharedColumns(count + spare);
  const candles = columns.append(
    0,
    read.map((month) => month.candles ?? heldCandles(held!, month.month)),
  )!;
  return { kind, version: { columns, months, candles, contentDigest } };
}

/** The candles after the held ones; null when a held candle has changed or is gone. */
function addedTo(held: SeriesVersion, read: readonly ReadMonth[]): Candles[] | null {
  const earlier = held.months.length - 1;
  const isAsHeld = ({ month, candles }: ReadMonth, n: number) =>
    candles === null && month === held.months[n].month;
  if (earlier < 0 || read.length <= earlier || !read.slice(0, earlier).every(isAsHeld)) return null;
  const [last, ...later] = read.slice(earlier);
  const { month, count } = held.months[earlier];
  const before = heldCandles(held, month);
  const now = last.candles ?? before;
  if (last.month !== month || last.count < count || !sameCandles(sliceCandles(now, 0, count), before))
    return null;
  return [sliceCandles(now, count, last.count), ...later.map(({ candles }) => candles!)];
}

function heldCandles({ months, candles }: SeriesVersion, month: string): Candles {
  const n = months.findIndex((each) => each.month === month);
  const from = months.slice(0, n).reduce((sum, { count }) => sum + count, 0);
  return sliceCandles(candles, from, from + months[n].count);
}

/** Whether all columns are equal, bit by bit. */
const sameCandles = (left: Candles, right: Candles): boolean =>
  candleColumns.every((column) => bytesOf(left[column]).equals(bytesOf(right[column])));

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
