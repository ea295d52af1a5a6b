import { createHash } from 'node:crypto';
import { candleBytes, type Candles } from '../compute/model/candles.js';
import { AppError } from '../compute/model/errors.js';
import { seriesId } from '../storage/candle-block.js';
import type { CandleRepository } from '../storage/candles.js';
import type { Series, SeriesKey } from '../storage/series.js';

/** A series in shared memory, as it was when it was read. */
export interface CachedSeries {
  series: Series;
  candles: Candles;
  /** SHA-256 of the candles themselves. */
  contentDigest: string;
  /** What strategies decided on these candles, by strategy and parameters. */
  decisions: Map<string, Int8Array>;
}

/** Where a node reads candles. */
export type CandleSource = Pick<CandleRepository, 'load'>;

/** Candles in shared memory, read from storage when needed, the least recently used dropped at the byte limit. */
export class CandleCache {
  readonly #source: CandleSource;
  readonly #limitBytes: number;
  /** In order of use, the latest last. */
  readonly #entries = new Map<string, CachedSeries>();
  readonly #loading = new Map<string, Promise<CachedSeries>>();
  #bytes = 0;
  readonly #counts = { hits: 0, misses: 0, loads: 0 };

  constructor(source: CandleSource, limitBytes: number) {
    this.#source = source;
    this.#limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** How often a series was there, was not, and was read from storage. */
  get counts(): Readonly<{ hits: number; misses: number; loads: number }> {
    return this.#counts;
  }

  /**
   * The series at least as new as `digest` says: a cached one only if it has that digest, else what is stored
   * now. Throws `invalid_input` when nothing is stored.
   */
  async get(key: SeriesKey, digest: string): Promise<CachedSeries> {
    const id = seriesId(key);
    const cached = this.#entries.get(id);
    if (cached?.series.digest === digest) {
      this.#counts.hits++;
      this.#entries.delete(id);
      this.#entries.set(id, cached);
      return cached;
    }
    this.#counts.misses++;
    const wanted = `${id}@${digest}`;
    let loading = this.#loading.get(wanted);
    if (!loading) {
      loading = this.#load(key, id).finally(() => this.#loading.delete(wanted));
      this.#loading.set(wanted, loading);
    }
    return loading;
  }

  async #load(key: SeriesKey, id: string): Promise<CachedSeries> {
    this.#counts.loads++;
    const loaded = await this.#source.load(key);
    if (!loaded)
      throw new AppError('invalid_input', `no candles of "${id}" are stored`, {
        details: { field: 'asset' },
      });
    const entry = {
      ...loaded,
      contentDigest: contentDigest(loaded.candles),
      decisions: new Map<string, Int8Array>(),
    };
    this.#drop(id);
    this.#entries.set(id, entry);
    this.#bytes += bytesOf(entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limitBytes || oldest === id) break;
      this.#drop(oldest);
    }
    return entry;
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#bytes -= bytesOf(entry);
  }
}

const bytesOf = ({ candles }: CachedSeries) => candleBytes(candles.time.length);

const contentDigest = ({ time }: Candles) =>
  createHash('sha256').update(new Uint8Array(time.buffer)).digest('hex');
