import type { Collection } from 'mongodb';
import { createCandles, firstCandleFrom, sliceCandles, type Candles } from '../../compute/model/candles.js';
import {
  intervalMs,
  researchIntervals,
  sourceIntervals,
  type ResearchInterval,
  type SourceInterval,
} from '../../compute/model/interval.js';
import { resampleCandles } from '../../compute/model/resample.js';
import {
  blockId,
  blockIds,
  decodeBlock,
  decodeMarked,
  digestOfMonths,
  encodeBlock,
  monthInId,
  monthOf,
  type CandleBlock,
  type MarkedCandles,
} from './candle-block.js';
import { seriesId, type Pair, type Series, type SeriesKey, type SeriesRepository } from './series.js';
import { gapsIn } from './gaps.js';
import { fillingCandles, findBlocks, findSummaries } from './filling-candles.js';
import { addReplaced, mergeCandles, noneReplaced, type ReplacedCandles } from './merge-candles.js';
import { fencedWrite, notFenced, raiseFence } from '../servers/fence.js';
import type { HeldLease } from '../servers/lease.js';
import type { Leases } from '../servers/leases.js';

/** How many candles given to `add` were stored. */
export interface AddedCandles {
  stored: number;
  alreadyThere: number;
  /** Open times of candles that are stored with different values. The stored ones are kept: closed candles do not change. */
  conflicts: number[];
  /** Those that were made of shorter ones, and have given way; absent where there were none. */
  replaced?: ReplacedCandles;
}

/** Announces to other processes the ids of series that have changed. */
export type AnnounceSeries = (ids: readonly string[]) => Promise<void>;

/** What a writer needs besides the blocks. `announce` is called with the ids of written series after each write. */
export interface WriterParts {
  series: SeriesRepository;
  leases: Leases;
  announce: AnnounceSeries;
}

const hourly = '1h';
const derived = ['4h', '1d'] as const satisfies ResearchInterval[];
const longestGapList = 1000;

/**
 * Writes candles of 5m, 15m and 1h into monthly blocks, and the series documents. Candles of 5m fill 15m and 1h, and those of 15m
 * fill 1h, where no candle of that interval has been added; 4h and 1d are made of 1h.
 */
export class CandleWriter {
  readonly #blocks: Collection<CandleBlock>;
  readonly #series: SeriesRepository;
  readonly #leases: Leases;
  readonly #announce: AnnounceSeries;

  constructor(blocks: Collection<CandleBlock>, { series, leases, announce }: WriterParts) {
    this.#blocks = blocks;
    this.#series = series;
    this.#leases = leases;
    this.#announce = announce;
  }

  /**
   * Stores candles (ascending, each time once) and updates those of longer intervals. Stored candles are kept, so adding the same
   * ones twice changes nothing. One process at a time writes a pair. If the process dies during a write, the next write that
   * covers the same months, or leaves them within the series, completes it. Throws `lease_lost` if this process was paused
   * and another one has taken over the pair.
   */
  async add(pair: Pair, candles: Candles, interval: SourceInterval = hourly): Promise<AddedCandles> {
    return this.#leases.hold(`candles:${pair.market}:${pair.base}/${pair.quote}`, async (lease) => {
      if (lease.tookOver) await this.#refuseEarlier(pair, candles, lease.token);
      const added: AddedCandles = { stored: 0, alreadyThere: 0, conflicts: [] };
      let months = monthsOf(candles);
      for (const level of sourceIntervals.slice(sourceIntervals.indexOf(interval))) {
        const key = { ...pair, interval: level };
        const before = await this.#series.find(key);
        if (level === interval) Object.assign(added, await this.#addToBlocks(key, candles, lease));
        else await this.#fill(key, months, lease);
        const written = new Set(months);
        for (const edge of before ? [before.first, before.last] : []) written.add(monthOf(edge));
        const ids = idsBetween(key, [...written].sort());
        const series = await this.#summarise(key, ids, lease);
        if (!series) break;
        // An interrupted write may have left months with these candles only; derive those that the series covers from now on.
        const isNew = (month: string) =>
          !before || month < monthOf(before.first) || month > monthOf(before.last);
        months = ids.map(monthInId).filter((month) => written.has(month) || isNew(month));
        if (level === hourly) await this.#derive(series, months, lease);
        else await this.#put(series, [level], lease);
      }
      return added;
    });
  }

  /** Makes every document of the pair refuse the writes of an earlier holder of the lease, which may be paused and go on later. */
  async #refuseEarlier(pair: Pair, candles: Candles, token: number): Promise<void> {
    const keys = researchIntervals.map((interval) => ({ ...pair, interval }));
    const stored = await Promise.all(keys.map((key) => this.#series.find(key)));
    const edges = stored.flatMap((series) => (series ? [monthOf(series.first), monthOf(series.last)] : []));
    const months = [...new Set([...monthsOf(candles), ...edges])].sort();
    const ids = keys.flatMap((key) => idsBetween(key, months));
    await raiseFence(this.#blocks as never, ids, token);
    await this.#series.refuseEarlier(keys, token);
  }

  async #fill(key: SeriesKey<SourceInterval>, months: readonly string[], lease: HeldLease): Promise<void> {
    const candles = await fillingCandles(key, months, { blocks: this.#blocks, series: this.#series });
    await this.#addToBlocks(key, candles, lease, true);
  }

  async #addToBlocks(
    key: SeriesKey<SourceInterval>,
    candles: Candles,
    lease: HeldLease,
    isDerived = false,
  ): Promise<AddedCandles> {
    const result: AddedCandles = { stored: 0, alreadyThere: 0, conflicts: [] };
    const replaced = noneReplaced();
    const parts = splitByMonth(candles);
    const ids = parts.map(({ time }) => blockId(key, time[0]));
    const stored = new Map((await findBlocks(this.#blocks, ids)).map((block) => [block._id, block]));
    const changed: CandleBlock[] = [];
    for (const part of parts) {
      const block = stored.get(blockId(key, part.time[0]));
      const merge = mergeCandles(block ? decodeMarked(block) : noCandles, part, isDerived);
      result.stored += merge.stored;
      result.alreadyThere += merge.alreadyThere;
      result.conflicts.push(...merge.conflicts);
      addReplaced(replaced, merge.replaced);
      if (merge.isChanged) changed.push(encodeBlock(key, merge.candles, merge.derived));
    }
    await this.#write(changed, lease);
    return replaced.count > 0 ? { ...result, replaced } : result;
  }

  /** Computes the 4h and 1d candles of the given months again from the 1h candles and writes blocks that differ. */
  async #derive(series: Series<ResearchInterval>, months: string[], lease: HeldLease): Promise<void> {
    const ids = months.map((month) => `${seriesId(series)}:${month}`);
    const blocksOf1h = (await findBlocks(this.#blocks, ids)).map(decodeBlock);
    const endMs = series.last + intervalMs(hourly);
    const covered = [monthOf(series.first), monthOf(series.last)];
    for (const interval of derived) {
      const key = { market: series.market, base: series.base, quote: series.quote, interval };
      const range = { bucketMs: intervalMs(interval), firstMs: series.first, endMs };
      const parts = blocksOf1h.map((candles) => resampleCandles(candles, range));
      const blocks = parts.filter(({ time }) => time.length > 0).map((part) => encodeBlock(key, part));
      const stored = await findSummaries(
        this.#blocks,
        blocks.map(({ _id }) => _id),
      );
      const known = new Map(stored.map(({ _id, digest }) => [_id, digest]));
      const changed = blocks.filter(({ _id, digest }) => known.get(_id) !== digest);
      await this.#write(changed, lease);
      await this.#summarise(key, idsBetween(key, covered), lease);
    }
    await this.#put(series, [hourly, ...derived], lease);
  }

  /** Stores a series, and announces that it and others of its pair have changed. */
  async #put(
    series: Series<ResearchInterval>,
    changed: readonly ResearchInterval[],
    lease: HeldLease,
  ): Promise<void> {
    await lease.confirm();
    await this.#series.put(series, lease.token);
    await this.#announce(changed.map((interval) => seriesId({ ...series, interval })));
  }

  /** The series document for the blocks of these ids. For 4h and 1d it is also stored. */
  async #summarise(
    key: SeriesKey<ResearchInterval>,
    ids: string[],
    { token }: HeldLease,
  ): Promise<Series<ResearchInterval> | null> {
    const blocks = await findSummaries(this.#blocks, ids);
    if (blocks.length === 0) return null;
    const between = gapsIn(
      blocks.flatMap(({ first, last }) => [first, last]),
      key.interval,
    );
    const edges = new Set(blocks.map(({ first }) => first));
    const gaps = [...blocks.flatMap((block) => block.gaps), ...between.filter(({ next }) => edges.has(next))];
    gaps.sort((left, right) => left.after - right.after);
    const series: Series<ResearchInterval> = {
      ...key,
      first: blocks[0].first,
      last: blocks[blocks.length - 1].last,
      count: blocks.reduce((sum, { count }) => sum + count, 0),
      missing: gaps.reduce((sum, { missing }) => sum + missing, 0),
      gaps: gaps.slice(0, longestGapList),
      digest: digestOfMonths(blocks),
      updatedAt: new Date(),
    };
    if (derived.some((interval) => interval === key.interval)) await this.#series.put(series, token);
    return series;
  }

  async #write(blocks: CandleBlock[], { token, confirm }: HeldLease): Promise<void> {
    if (blocks.length === 0) return;
    const operations = blocks.map((block) => ({
      replaceOne: {
        filter: { _id: block._id, ...notFenced(token) },
        replacement: { ...block, fence: token },
        upsert: true,
      },
    }));
    await confirm();
    await fencedWrite(blocks[0]._id, () => this.#blocks.bulkWrite(operations, { ordered: false }));
  }
}

const noCandles: MarkedCandles = { candles: createCandles(0), derived: new Uint8Array(0) };

/** The ids of the blocks of a series from the first to the last of these months, which are sorted. */
const idsBetween = (key: SeriesKey<ResearchInterval>, months: readonly string[]): string[] =>
  months.length === 0 ? [] : blockIds(key, months[0], Date.parse(`${months[months.length - 1]}-01`));

/** The calendar months that have candles, in order. */
const monthsOf = (candles: Candles): string[] => splitByMonth(candles).map(({ time }) => monthOf(time[0]));

function splitByMonth(candles: Candles): Candles[] {
  const parts: Candles[] = [];
  for (let from = 0; from < candles.time.length;) {
    const date = new Date(candles.time[from]);
    const to = firstCandleFrom(candles.time, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
    parts.push(sliceCandles(candles, from, to));
    from = to;
  }
  return parts;
}
