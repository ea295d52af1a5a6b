import type { Candles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { intervalMs, type ResearchInterval } from '../../compute/model/interval.js';
import { seriesId, type Series, type SeriesKey } from '../../storage/candles/series.js';
import type { CandleRepository } from '../../storage/candles/candles.js';
import { Decisions } from './decisions.js';
import { nextVersion, type ReadKind, type SeriesVersion } from './series-version.js';

/** One version of a series in shared memory. Its candles never change, even when the series gets new ones. */
export interface CachedSeries {
  series: Series<ResearchInterval>;
  candles: Candles;
  /** SHA-256 that names the candles themselves. */
  contentDigest: string;
  /** The decisions of strategies on these candles. */
  decisions: Decisions;
}

/** The stored candles, as a node reads them. */
export type CandleStore = Pick<CandleRepository, 'read'>;

type Entry = CachedSeries & { version: SeriesVersion };

/** A read that is under way; `digest` is that of the job that needs it, null when no job does. */
interface Renewal {
  digest: string | null;
  done: Promise<Entry>;
}

const monthMs = 31 * intervalMs('1d');
/** Spare memory for a month of candles, so that new memory is seldom needed; it is small compared with years of candles. */
const spareOf = (interval: ResearchInterval) => monthMs / intervalMs(interval);

/**
 * Candles in shared memory, read from storage when needed. Of a cached series, only new months are read. Memory (spare memory
 * and decisions included) is limited; the least recently used series are removed first. Not an lru-cache: the size of an
 * entry grows after it was added, and a read continues from the entry before.
 */
export class CandleCache {
  readonly #source: CandleStore;
  readonly #limitBytes: number;
  /** In order of use, the last used at the end. */
  readonly #entries = new Map<string, Entry>();
  /** One read at a time for each series: each continues from the version before. */
  readonly #renewals = new Map<string, Renewal>();
  readonly #counts = { hits: 0, misses: 0, loads: { whole: 0, append: 0, change: 0, none: 0 } };

  constructor(source: CandleStore, limitBytes: number) {
    this.#source = source;
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { version, decisions } of this.#entries.values())
      bytes += version.columns.bytes + decisions.bytes;
    return bytes;
  }

  /** Hits, misses, and the kinds of reads from storage. */
  get counts(): Readonly<{ hits: number; misses: number; loads: Readonly<Record<ReadKind, number>> }> {
    return this.#counts;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /**
   * The series, at least as new as `digest`: the cached version if it has this digest, else what is stored now. Throws
   * `invalid_input` when nothing is stored.
   */
  async get(key: SeriesKey<ResearchInterval>, digest: string): Promise<CachedSeries> {
    const id = seriesId(key);
    const isThere = (entry: Entry | undefined) => entry?.series.digest === digest;
    const cached = this.#entries.get(id);
    this.#counts[isThere(cached) ? 'hits' : 'misses']++;
    if (isThere(cached)) return this.#use(id, cached!);
    const running = this.#renewals.get(id);
    // A read for another digest may have begun before the candles of this digest were written.
    if (running && running.digest !== digest) {
      await running.done.catch(() => undefined);
      const renewed = this.#entries.get(id);
      if (isThere(renewed)) return this.#use(id, renewed!);
    }
    return this.#use(id, await this.#renewal(key, digest).done);
  }

  /** Updates a cached series before a job needs it. This does not count as use. */
  async renew(id: string): Promise<void> {
    // A read that is under way may have begun before the change.
    await this.#renewals.get(id)?.done.catch(() => undefined);
    const cached = this.#entries.get(id);
    if (cached) await this.#renewal(cached.series, null).done;
  }

  /** The read under way, or a new one. */
  #renewal(key: SeriesKey<ResearchInterval>, digest: string | null): Renewal {
    const id = seriesId(key);
    let renewal = this.#renewals.get(id);
    if (!renewal) {
      renewal = { digest, done: this.#read(key, id).finally(() => this.#renewals.delete(id)) };
      this.#renewals.set(id, renewal);
    }
    return renewal;
  }

  async #read(key: SeriesKey<ResearchInterval>, id: string): Promise<Entry> {
    const held = this.#entries.get(id);
    const read = await this.#source.read(key, held?.version.months);
    if (!read)
      throw new AppError('invalid_input', `no candles of "${id}" are stored`, {
        details: { field: 'asset' },
      });
    const { kind, version } = nextVersion(held?.version, read.months, spareOf(key.interval));
    this.#counts.loads[kind]++;
    const { candles, contentDigest } = version;
    const decisions = kind === 'none' ? held!.decisions : new Decisions(() => this.#evict());
    const entry = { series: read.series, candles, contentDigest, decisions, version };
    // A series that was removed meanwhile is added again only when it is used.
    if (!held || this.#entries.has(id)) this.#entries.set(id, entry);
    this.#evict();
    return entry;
  }

  #use(id: string, entry: Entry): CachedSeries {
    const cached = this.#entries.get(id);
    if (cached && cached !== entry) return entry;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    this.#evict();
    return entry;
  }

  #evict(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size === 1 || this.bytes <= this.#limitBytes) return;
      this.#entries.delete(id);
    }
  }
}
