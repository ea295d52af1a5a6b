import { createHash } from 'node:crypto';
import { Binary } from 'mongodb';
import {
  candleBytes,
  candlesOver,
  copyCandles,
  firstCandleFrom,
  sliceCandles,
  type Candles,
} from '../../compute/model/candles.js';
import type { ResearchInterval } from '../../compute/model/interval.js';
import { gapsIn, type Gap } from './gaps.js';
import { seriesId, type SeriesKey } from './series.js';

/** The candles of one series in one calendar month (UTC), as one binary of Float64 columns in sequence. */
export interface CandleBlock {
  /** `<market>:<base>/<quote>:<interval>:<YYYY-MM>`; ids sort by month. */
  _id: string;
  first: number;
  last: number;
  count: number;
  gaps: Gap[];
  digest: string;
  columns: Binary;
  /** A byte for each candle, 1 where it is made of shorter ones; absent where none is. */
  derived?: Binary;
  /** The fencing token of the process that wrote it. */
  fence?: number;
}

/** Candles, and for each 1 if it is made of shorter ones, else 0. */
export interface MarkedCandles {
  candles: Candles;
  derived: Uint8Array;
}

export const blockId = (key: SeriesKey<ResearchInterval>, timeMs: number): string =>
  `${seriesId(key)}:${monthOf(timeMs)}`;

/**
 * The ids of the blocks from a calendar month to the month of a time. Blocks are queried by these ids and not by a range,
 * because SecantusDB scans the whole collection for a range.
 */
export function blockIds(key: SeriesKey<ResearchInterval>, fromMonth: string, lastMs: number): string[] {
  const ids: string[] = [];
  const lastId = blockId(key, lastMs);
  const at = new Date(`${fromMonth}-01`);
  for (let id = blockId(key, at.getTime()); id <= lastId; id = blockId(key, at.getTime())) {
    ids.push(id);
    at.setUTCMonth(at.getUTCMonth() + 1);
  }
  return ids;
}

/** The calendar month in the id of a block. */
export const monthInId = (id: string): string => id.slice(id.lastIndexOf(':') + 1);

/** The calendar month of a time as `YYYY-MM`, UTC. */
export const monthOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 7);

/** The block of the given candles: at least one, all of one month. */
export function encodeBlock(
  key: SeriesKey<ResearchInterval>,
  candles: Candles,
  derived?: Uint8Array,
): CandleBlock {
  const { time } = candles;
  const count = time.length;
  const bytes = packCandles(candles);
  return {
    _id: blockId(key, time[0]),
    first: time[0],
    last: time[count - 1],
    count,
    gaps: gapsIn(time, key.interval),
    digest: sha256(bytes),
    columns: new Binary(bytes),
    ...(derived?.includes(1) ? { derived: new Binary(derived) } : {}),
  };
}

/** The digest of a block of the given candles. */
export const digestOfCandles = (candles: Candles): string => sha256(packCandles(candles));

/** The digest of a series whose blocks have these digests, in order of time. */
export const digestOfMonths = (months: readonly { digest: string }[]): string =>
  sha256(months.map(({ digest }) => digest).join());

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex');

/** The columns in sequence, as bytes. */
function packCandles(candles: Candles): Uint8Array<ArrayBuffer> {
  const count = candles.time.length;
  const bytes = new Uint8Array(candleBytes(count));
  copyCandles(candles, candlesOver(bytes.buffer, count), 0);
  return bytes;
}

/** The candles of a block, copied into new columns. */
export function decodeBlock({ columns, count }: Pick<CandleBlock, 'columns' | 'count'>): Candles {
  return candlesOver(Uint8Array.from(columns.buffer.subarray(0, candleBytes(count))).buffer, count);
}

/** The candles of a block with their marks. */
export function decodeMarked(block: Pick<CandleBlock, 'columns' | 'count' | 'derived'>): MarkedCandles {
  const { derived, count } = block;
  return {
    candles: decodeBlock(block),
    derived: derived ? Uint8Array.from(derived.buffer.subarray(0, count)) : new Uint8Array(count),
  };
}

/** The candles that open from `firstMs` to `lastMs`, both included, as a view. */
export const candlesBetween = (candles: Candles, firstMs: number, lastMs: number): Candles =>
  sliceCandles(candles, firstCandleFrom(candles.time, firstMs), firstCandleFrom(candles.time, lastMs + 1));
