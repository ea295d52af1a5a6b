import type { Collection, Db } from 'mongodb';
import {
  candleBytes,
  candlesOver,
  copyCandles,
  createCandles,
  firstCandleFrom,
  sliceCandles,
  type Candles,
} from '../../compute/model/candles.js';
import { blockIds, decodeBlock, monthOf, type CandleBlock } from './candle-block.js';
import { CandleReader, type SeriesMonth, type SeriesRead } from './candle-reader.js';
import { CandleWriter, type AddedCandles, type AnnounceSeries } from './candle-writer.js';
import type { Leases } from '../servers/leases.js';
import type { Pair, Series, SeriesKey, SeriesRepository } from './series.js';
import { findBlocks, findSummaries } from './stored-blocks.js';

/** Candles in monthly blocks. 1h candles are given; 4h and 1d follow from them. */
export class CandleRepository {
  readonly #blocks: Collection<CandleBlock>;
  readonly #reader: CandleReader;
  readonly #writer: CandleWriter;

  /** `announce` is told of every series that was written, after it was. */
  constructor(
    db: Db,
    series: SeriesRepository,
    leases: Leases,
    announce: AnnounceSeries = async () => undefined,
  ) {
    this.#blocks = db.collection('candles');
    this.#reader = new CandleReader(this.#blocks, series);
    this.#writer = new CandleWriter(this.#blocks, { series, leases, announce });
  }

  /** What the series covers now, beside the months that a reader holds already; null if none of it is stored. */
  async read(key: SeriesKey, held: readonly SeriesMonth[] = []): Promise<SeriesRead | null> {
    return this.#reader.read(key, held);
  }

  /** All candles that the series covers, in memory that threads can share; null if none is stored. */
  async load(key: SeriesKey): Promise<{ series: Series; candles: Candles } | null> {
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

  /** The last closed candles of a series, up to so many, of its last two months at most. */
  async last(series: Series, count: number): Promise<Candles> {
    const parts = (await this.#lastBlocks(series)).map(decodeBlock);
    const end = (part: Candles) => firstCandleFrom(part.time, series.last + 1);
    const [earlier, later] = [createCandles(0), createCandles(0), ...parts].slice(-2);
    const fromLater = sliceCandles(later, Math.max(0, end(later) - count), end(later));
    const missing = count - fromLater.time.length;
    const fromEarlier = sliceCandles(earlier, Math.max(0, end(earlier) - missing), end(earlier));
    const joined = createCandles(fromEarlier.time.length + fromLater.time.length);
    copyCandles(fromEarlier, joined, 0);
    copyCandles(fromLater, joined, fromEarlier.time.length);
    return joined;
  }

  /** Stores 1h candles (ascending, each time once) and brings 4h and 1d up to date; what is stored already stays. */
  async add(pair: Pair, candles: Candles): Promise<AddedCandles> {
    return this.#writer.add(pair, candles);
  }

  /** The last two blocks that a series covers, in order of time: as a rule those of its last two calendar months. */
  async #lastBlocks(series: Series): Promise<CandleBlock[]> {
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
