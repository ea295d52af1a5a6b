import type { Collection, Db } from 'mongodb';
import {
  candleBytes,
  candlesOver,
  copyCandles,
  createCandles,
  sliceCandles,
  type Candles,
} from '../../compute/model/candles.js';
import { intervalMs, type ResearchInterval, type SourceInterval } from '../../compute/model/interval.js';
import { blockIds, candlesBetween, decodeBlock, monthOf, type CandleBlock } from './candle-block.js';
import { CandleReader, type SeriesMonth, type SeriesRead } from './candle-reader.js';
import { CandleWriter, type AddedCandles, type AnnounceSeries } from './candle-writer.js';
import type { Leases } from '../servers/leases.js';
import type { Pair, Series, SeriesKey, SeriesRepository } from './series.js';
import { findBlocks, findSummaries, type BlockSummary } from './filling-candles.js';
import { openCollection } from '../servers/open-collection.js';

/** Candles in monthly blocks. Callers add candles of 5m, 15m and 1h; those of longer intervals are derived from them. */
export class CandleRepository {
  readonly #blocks: Collection<CandleBlock>;
  readonly #reader: CandleReader;
  readonly #writer: CandleWriter;

  /** `announce` is called with the ids of written series after each write. */
  constructor(
    db: Db,
    series: SeriesRepository,
    leases: Leases,
    announce: AnnounceSeries = async () => undefined,
  ) {
    this.#blocks = openCollection(db, 'candles');
    this.#reader = new CandleReader(this.#blocks, series);
    this.#writer = new CandleWriter(this.#blocks, { series, leases, announce });
  }

  /** All months of the series, without candles for those that equal a `held` one; null if none is stored. */
  async read(
    key: SeriesKey<ResearchInterval>,
    held: readonly SeriesMonth[] = [],
  ): Promise<SeriesRead | null> {
    return this.#reader.read(key, held);
  }

  /** All candles of the series in memory that threads can share; null if none is stored. */
  async load(
    key: SeriesKey<ResearchInterval>,
  ): Promise<{ series: Series<ResearchInterval>; candles: Candles } | null> {
    const found = await this.read(key);
    if (!found) return null;
    const count = found.months.reduce((sum, month) => sum + month.count, 0);
    const all = candlesOver(new SharedArrayBuffer(candleBytes(count)), count);
    let at = 0;
    for (const { candles, count } of found.months) {
      if (candles) copyCandles(candles, all, at);
      at += count;
    }
    return { series: found.series, candles: all };
  }

  /** Up to `count` last closed candles of a series, from its last two blocks at most. */
  async last(series: Series<ResearchInterval>, count: number): Promise<Candles> {
    const blocks = await this.#lastBlocks(series);
    const parts = blocks.map((block) => candlesBetween(decodeBlock(block), series.first, series.last));
    const [earlier, later] = [createCandles(0), createCandles(0), ...parts].slice(-2);
    const fromLater = lastCandles(later, count);
    const fromEarlier = lastCandles(earlier, count - fromLater.time.length);
    const joined = createCandles(fromEarlier.time.length + fromLater.time.length);
    copyCandles(fromEarlier, joined, 0);
    copyCandles(fromLater, joined, fromEarlier.time.length);
    return joined;
  }

  /** Up to `count` last candles of a series that had closed by a time, in ms; from as many blocks as they fill. */
  async closedBy(series: Series<ResearchInterval>, closedMs: number, count: number): Promise<Candles> {
    const lastOpenMs = Math.min(series.last, closedMs - intervalMs(series.interval));
    if (lastOpenMs < series.first) return createCandles(0);
    const stored = await findSummaries(this.#blocks, blockIds(series, monthOf(series.first), lastOpenMs));
    const wanted = enoughBlocks(stored, lastOpenMs, count);
    const parts = (await findBlocks(this.#blocks, wanted)).map(decodeBlock);
    const joined = createCandles(parts.reduce((sum, { time }) => sum + time.length, 0));
    let at = 0;
    for (const part of parts) {
      copyCandles(part, joined, at);
      at += part.time.length;
    }
    return lastCandles(candlesBetween(joined, series.first, lastOpenMs), count);
  }

  /** Stores candles (ascending, each time once) and updates those of longer intervals. Stored candles are kept. */
  async add(pair: Pair, candles: Candles, interval: SourceInterval = '1h'): Promise<AddedCandles> {
    return this.#writer.add(pair, candles, interval);
  }

  /** The last two blocks of a series, in order of time: usually those of its last two calendar months. */
  async #lastBlocks(series: Series<ResearchInterval>): Promise<CandleBlock[]> {
    const ids = blockIds(series, monthOf(series.first), series.last);
    const usual = await findBlocks(this.#blocks, ids.slice(-2));
    if (usual.length === Math.min(2, ids.length)) return usual;
    const stored = await findSummaries(this.#blocks, ids);
    return findBlocks(
      this.#blocks,
      stored.slice(-2).map(({ _id }) => _id),
    );
  }
}

const lastCandles = (candles: Candles, count: number): Candles =>
  sliceCandles(candles, Math.max(0, candles.time.length - count), candles.time.length);

/** The ids of the last blocks that hold `count` candles up to a time. Of the last block, some candles may be later. */
function enoughBlocks(stored: readonly BlockSummary[], lastOpenMs: number, count: number): string[] {
  const ids: string[] = [];
  let found = 0;
  for (const block of stored.toReversed()) {
    if (found >= count) break;
    ids.unshift(block._id);
    if (block.last <= lastOpenMs) found += block.count;
  }
  return ids;
}
