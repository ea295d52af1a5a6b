import { setTimeout as pause } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import type { ResearchInterval } from '../../compute/model/interval.js';
import type { Candles } from '../../compute/model/candles.js';
import {
  candlesBetween,
  decodeBlock,
  digestOfCandles,
  digestOfMonths,
  blockIds,
  monthInId,
  monthOf,
  type CandleBlock,
} from './candle-block.js';
import type { Series, SeriesKey, SeriesRepository } from './series.js';
import { findBlocks } from './filling-candles.js';

/** One calendar month (UTC) of a series, as a reader holds it. */
export interface SeriesMonth {
  /** As `YYYY-MM`. */
  month: string;
  count: number;
  /** SHA-256 of the candles: equal digests mean equal candles. */
  digest: string;
}

/** A month as it was read; `candles` is null if the reader already holds the same ones. */
export interface ReadMonth extends SeriesMonth {
  candles: Candles | null;
}

/** A series and all months that it covers, in order of time. */
export interface SeriesRead {
  series: Series<ResearchInterval>;
  months: ReadMonth[];
}

type BlockEdges = Pick<CandleBlock, '_id' | 'first' | 'last' | 'digest'>;

/** How long to wait for the end of a repair before each further read. */
const repairMs = [20, 50, 100, 200];

/** Reads the parts of a series that a reader does not hold: one block after an append, the changed blocks after a repair. */
export class CandleReader {
  readonly #blocks: Collection<CandleBlock>;
  readonly #series: SeriesRepository;

  constructor(blocks: Collection<CandleBlock>, series: SeriesRepository) {
    this.#blocks = blocks;
    this.#series = series;
  }

  /**
   * All months of the series, without candles for those that equal a `held` one; null if none is stored. A repair writes
   * the blocks first and the series last. A read in between waits up to 370 ms for its end; if the writer died, it
   * returns the blocks as they are.
   */
  async read(
    key: SeriesKey<ResearchInterval>,
    held: readonly SeriesMonth[] = [],
  ): Promise<SeriesRead | null> {
    for (let n = 0; ; n++) {
      const series = await this.#series.find(key);
      if (!series) return null;
      const months = await this.#months(series, held);
      if (n === repairMs.length || digestOfMonths(months) === series.digest) return { series, months };
      await pause(repairMs[n]);
    }
  }

  /**
   * The digest of the series is computed from those of its months, so a matching digest proves that the held months are
   * current without reading them. Only if it does not match are the digests of all blocks read.
   */
  async #months(series: Series<ResearchInterval>, held: readonly SeriesMonth[]): Promise<ReadMonth[]> {
    if (digestOfMonths(held) === series.digest) return held.map(withoutCandles);
    const earlier = held.slice(0, -1);
    const from = held.at(-1)?.month ?? monthOf(series.first);
    const found = await this.#readBlocks(series, blockIds(series, from, series.last));
    const months = [...earlier.map(withoutCandles), ...found];
    if (held.length === 0 || digestOfMonths(months) === series.digest) return months;
    return this.#changedMonths(series, held);
  }

  async #changedMonths(series: Series<ResearchInterval>, held: readonly SeriesMonth[]): Promise<ReadMonth[]> {
    const byMonth = new Map(held.map((month) => [month.month, month]));
    const isHeld = ({ _id, digest, first, last }: BlockEdges) =>
      byMonth.get(monthInId(_id))?.digest === digest && first >= series.first && last <= series.last;
    const projection = { first: 1, last: 1, digest: 1 };
    const ids = blockIds(series, monthOf(series.first), series.last);
    const blocks = await this.#blocks.find<BlockEdges>({ _id: { $in: ids } }, { projection }).toArray();
    const [kept, changed] = [blocks.filter(isHeld), blocks.filter((block) => !isHeld(block))];
    const found = await this.#readBlocks(
      series,
      changed.map(({ _id }) => _id),
    );
    const months = [...kept.map(({ _id }) => withoutCandles(byMonth.get(monthInId(_id))!)), ...found];
    return months.sort((left, right) => (left.month < right.month ? -1 : 1));
  }

  /** The candles of these blocks within the range that the series covers. */
  async #readBlocks(series: Series<ResearchInterval>, ids: string[]): Promise<ReadMonth[]> {
    const blocks = await findBlocks(this.#blocks, ids);
    return blocks.map((block) => readMonth(block, series)).filter(({ count }) => count > 0);
  }
}

const withoutCandles = ({ month, count, digest }: SeriesMonth): ReadMonth => ({
  month,
  count,
  digest,
  candles: null,
});

function readMonth(block: CandleBlock, { first, last }: Series<ResearchInterval>): ReadMonth {
  const candles = candlesBetween(decodeBlock(block), first, last);
  const count = candles.time.length;
  const digest = count === block.count ? block.digest : digestOfCandles(candles);
  return { month: monthInId(block._id), count, digest, candles };
}
