import assert from 'node:assert/strict';
import { candleBytes, type Candles } from '../../compute/model/candles.js';
import { AppError } from '../../compute/model/errors.js';
import { CandleCache } from '../../jobs/candle-cache.js';
import type { Series, SeriesKey } from '../../storage/series.js';
import { randomCandles } from '../support/random-candles.js';

const length = 100;
const bytes = candleBytes(length);
const keyOf = (base: string): SeriesKey => ({ market: 'csv', base, quote: 'USDT', interval: '1h' });

/** A store whose series are all 100 candles long; notes every read, and can be held up. */
class Store {
  readonly reads: string[] = [];
  digest = 'd1';
  failure: Error | undefined;
  missing = false;
  #held: Promise<void> | undefined;

  /** Reads wait until the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async load(key: SeriesKey): Promise<{ series: Series; candles: Candles } | null> {
    this.reads.push(key.base);
    const { digest } = this;
    await this.#held;
    if (this.failure) throw this.failure;
    if (this.missing) return null;
    const candles = randomCandles(length, { seed: key.base.charCodeAt(0) });
    const facts = {
      first: candles.time[0],
      last: candles.time[length - 1],
      count: length,
      missing: 0,
      gaps: [],
    };
    return { series: { ...key, ...facts, digest, updatedAt: new Date(0) }, candles };
  }
}

describe('CandleCache', () => {
  let store: Store;
  let cache: CandleCache;

  beforeEach(() => {
    store = new Store();
    cache = new CandleCache(store, 3 * bytes);
  });

  it('reads a series once for as long as its digest is the one asked for', async () => {
    const first = await cache.get(keyOf('A'), 'd1');
    assert.equal(await cache.get(keyOf('A'), 'd1'), first);
    assert.deepEqual(store.reads, ['A']);
    assert.equal(first.candles.time.length, length);
    assert.equal(first.series.digest, 'd1');
    assert.equal(cache.bytes, bytes);
  });

  it('reads anew when the caller knows another digest', async () => {
    const old = await cache.get(keyOf('A'), 'd1');
    old.decisions.set('a strategy', new Int8Array(1));
    store.digest = 'd2';
    const renewed = await cache.get(keyOf('A'), 'd2');
    assert.equal(renewed.series.digest, 'd2');
    assert.equal(renewed.decisions.size, 0);
    assert.deepEqual(store.reads, ['A', 'A']);
    assert.equal(cache.bytes, bytes);
  });

  it('gives what is stored when that is newer than the caller knows', async () => {
    store.digest = 'd3';
    assert.equal((await cache.get(keyOf('A'), 'd2')).series.digest, 'd3');
  });

  it('keeps intervals, quotes and markets of one asset apart', async () => {
    const key = keyOf('A');
    for (const other of [key, { ...key, interval: '4h' }, { ...key, quote: 'BTC' }] as const)
      assert.equal((await cache.get(other, 'd1')).series.interval, other.interval);
    assert.equal(store.reads.length, 3);
  });

  it('drops the least recently used series at the byte limit', async () => {
    for (const base of ['A', 'B', 'C', 'A', 'D']) await cache.get(keyOf(base), 'd1');
    assert.equal(cache.bytes, 3 * bytes);
    store.reads.length = 0;
    for (const base of ['A', 'C', 'D']) await cache.get(keyOf(base), 'd1');
    assert.deepEqual(store.reads, []);
    await cache.get(keyOf('B'), 'd1');
    assert.deepEqual(store.reads, ['B']);
    await cache.get(keyOf('A'), 'd1');
    assert.deepEqual(store.reads, ['B', 'A']);
  });

  it('keeps a series that alone is over the limit until the next comes', async () => {
    cache = new CandleCache(store, bytes - 1);
    await cache.get(keyOf('A'), 'd1');
    await cache.get(keyOf('A'), 'd1');
    assert.deepEqual(store.reads, ['A']);
    await cache.get(keyOf('B'), 'd1');
    assert.equal(cache.bytes, bytes);
  });

  it('reads once for callers that ask at the same time', async () => {
    const release = store.hold();
    const asking = Array.from({ length: 20 }, () => cache.get(keyOf('A'), 'd1'));
    release();
    const [first, ...others] = await Promise.all(asking);
    for (const other of others) assert.equal(other, first);
    assert.deepEqual(store.reads, ['A']);
  });

  it('counts bytes right when reads overtake each other', async () => {
    const release = store.hold();
    const asking = ['d1', 'd2', 'd1', 'd3'].map((digest) => cache.get(keyOf('A'), digest));
    release();
    await Promise.all(asking);
    assert.equal(cache.bytes, bytes);
    for (const base of ['B', 'C', 'D', 'E']) await cache.get(keyOf(base), 'd1');
    assert.equal(cache.bytes, 3 * bytes);
  });

  it('does not keep a failure', async () => {
    store.failure = new AppError('mongodb_unavailable', 'MongoDB is away');
    await assert.rejects(cache.get(keyOf('A'), 'd1'), { code: 'mongodb_unavailable' });
    assert.equal(cache.bytes, 0);
    store.failure = undefined;
    assert.equal((await cache.get(keyOf('A'), 'd1')).series.base, 'A');
  });

  it('does not keep that nothing is stored', async () => {
    store.missing = true;
    await assert.rejects(cache.get(keyOf('A'), 'd1'), {
      name: 'AppError',
      code: 'invalid_input',
      message: 'no candles of "csv:A/USDT:1h" are stored',
      details: { field: 'asset' },
    });
    store.missing = false;
    await cache.get(keyOf('A'), 'd1');
    assert.equal(store.reads.length, 2);
  });

  it('keeps what it has when a read of something newer fails', async () => {
    const old = await cache.get(keyOf('A'), 'd1');
    store.failure = new Error('away');
    await assert.rejects(cache.get(keyOf('A'), 'd2'), /away/);
    assert.equal(await cache.get(keyOf('A'), 'd1'), old);
  });

  it('names the content: the same candles, the same digest', async () => {
    const [a, b] = [await cache.get(keyOf('A'), 'd1'), await cache.get(keyOf('B'), 'd1')];
    assert.match(a.contentDigest, /^[0-9a-f]{64}$/);
    assert.notEqual(a.contentDigest, b.contentDigest);
    store.digest = 'd2';
    assert.equal((await cache.get(keyOf('A'), 'd2')).contentDigest, a.contentDigest);
  });
});
