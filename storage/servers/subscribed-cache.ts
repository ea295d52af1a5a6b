import type { Redis } from 'ioredis';
import type { LRUCache } from 'lru-cache';
import { ChannelListener } from './channel-listener.js';
import { boundedCache } from '../process/bounded-cache.js';

/** A value and the time, on the caller's clock in ms, until which it may be served. */
export interface CachedValue<V> {
  value: V;
  untilMs: number;
}

export interface SubscribedCacheOptions<V> {
  /** The Redis channel on which changes are announced. */
  channel: string;
  /** Most values kept; the least recently used are dropped first. */
  max: number;
  /** Removes from the cache what a message says has changed. */
  onMessage: (message: string, cache: SubscribedCache<V>) => void;
}

/**
 * Values read from the database, kept in memory until a Redis message says that they have changed. While the connection to
 * Redis is lost nothing is cached, because changes would be missed. lru-cache's `fetchMethod` is not used: any message
 * makes all reads in progress unfit for sharing, whatever their key.
 */
export class SubscribedCache<V> {
  readonly #listener: ChannelListener;
  readonly #cached: LRUCache<string, CachedValue<V>>;
  readonly #reads = new Map<string, { mark: number; result: Promise<V | null> }>();

  /** `subscriber` is a Redis connection that nothing else uses. */
  constructor(subscriber: Redis, { channel, max, onMessage }: SubscribedCacheOptions<V>) {
    this.#cached = boundedCache(max);
    this.#listener = new ChannelListener(subscriber, {
      channel,
      onMessage: (message) => onMessage(message, this),
      onMissed: () => this.#cached.clear(),
    });
  }

  /** The cached value; undefined if there is none or its time is over. */
  get(key: string, nowMs: number): V | undefined {
    const cached = this.#cached.get(key);
    return cached && cached.untilMs > nowMs ? cached.value : undefined;
  }

  /**
   * Reads a value and caches it; null results are not cached. Concurrent callers share one read, unless a message came
   * after that read began: a caller who knows of a change never gets what was read before it.
   */
  async read(key: string, load: () => Promise<CachedValue<V> | null>): Promise<V | null> {
    const shared = this.#reads.get(key);
    if (shared && this.#listener.isUnchangedSince(shared.mark)) return shared.result;
    const { mark } = this.#listener;
    const read = { mark, result: this.#load(key, mark, load) };
    this.#reads.set(key, read);
    try {
      return await read.result;
    } finally {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    }
  }

  /** Applies a change that this process knows without a message; results of reads in progress are not cached. */
  noteChange(change: (cache: SubscribedCache<V>) => void): void {
    this.#listener.noteChange();
    change(this);
  }

  delete(key: string): void {
    this.#cached.delete(key);
  }

  /** Deletes every cached value that matches. */
  deleteWhere(matches: (value: V) => boolean): void {
    for (const [key, { value }] of this.#cached.entries()) if (matches(value)) this.#cached.delete(key);
  }

  /** Closes the subscriber's connection. */
  close(): void {
    this.#listener.close();
  }

  async #load(key: string, mark: number, load: () => Promise<CachedValue<V> | null>): Promise<V | null> {
    const found = await load();
    if (found && this.#listener.isUnchangedSince(mark)) this.#cached.set(key, found);
    return found === null ? null : found.value;
  }
}
