import assert from 'node:assert/strict';
import { candleBytes } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import { CandleCache } from '../../../jobs/node/candle-cache.js';
import { digestOfCandles } from '../../../storage/candles/candle-block.js';
import type { SeriesMonth, SeriesRead } from '../../../storage/candles/candle-reader.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const length = 100;
/** A series has room for a month of candles behind those it has. */
const bytes = candleBytes(length + 31 * 24);
const keyOf = (base: string): SeriesKey => ({ market: 'csv', base, quote: 'USDT', interval: '1h' });

/** A store whose series are all 100 candles of one month; notes every read, and can be held up. */
class Store {
  readonly reads: string[] = [];
  digest = 'd1';
  failure: Error | undefined;
  missing = false;
  count = length;
  #held: Promise<void> | undefined;

  /** Reads wait until the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async read(key: SeriesKey, held: readonly SeriesMonth[] = []): Promise<SeriesRead | null> {
    this.reads.push(key.base);
    const { digest, count } = this;
    await this.#held;
    if (this.failure) throw this.failure;
    if (this.missing) return null;
    const candles = randomCandles(count, { seed: key.base.charCodeAt(0) });
    const month = { month: '2024-01', count, digest: digestOfCandles(candles) };
    const [first, last] = [candles.time[0], candles.time[count - 1]];
    const facts = { first, last, count, missing: 0, gaps: [] };
    return {
      series: { ...key, ...facts, digest, updatedAt: new Date(0) },
      months: [{ ...month, candles: held[0]?.digest === month.digest ? null : candles }],
    };
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
    [store.digest, store.count] = ['d2', length + 1];
    const renewed = await cache.get(keyOf('A'), 'd2');
    assert.equal(renewed.series.digest, 'd2');
    assert.equal(renewed.candles.time.length, length + 1);
    assert.equal(renewed.decisions.get('a strategy'), undefined);
    assert.deepEqual(store.reads, ['A', 'A']);
    assert.equal(cache.bytes, bytes);
  });

  it('keeps candles and decisions where another digest brought no other candles', async () => {
    const old = await cache.get(keyOf('A'), 'd1');
    const targets = new Int8Array(length);
    old.decisions.set('a strategy', targets);
    store.digest = 'd2';
    const renewed = await cache.get(keyOf('A'), 'd2');
    assert.equal(renewed.series.digest, 'd2');
    assert.equal(renewed.candles, old.candles);
    assert.equal(renewed.decisions.get('a strategy'), targets);
    assert.deepEqual(cache.counts.loads, { whole: 1, append: 0, change: 0, none: 1 });
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

  it('counts decisions, for which it drops what was used least', async () => {
    cache = new CandleCache(store, 2 * bytes + 250);
    const [a, b] = [await cache.get(keyOf('A'), 'd1'), await cache.get(keyOf('B'), 'd1')];
    b.decisions.set('one', new Int8Array(length));
    b.decisions.set('one', new Int8Array(length));
    a.decisions.set('one', new Int8Array(length));
    assert.equal(cache.bytes, 2 * bytes + 2 * length);
    b.decisions.set('two', new Int8Array(length));
    assert.equal(cache.bytes, bytes + 2 * length);
    // What a job decides on a series that was dropped is its own.
    a.decisions.set('two', new Int8Array(length));
    assert.equal(cache.bytes, bytes + 2 * length);
    assert.deepEqual([cache.has('csv:A/USDT:1h'), cache.has('csv:B/USDT:1h')], [false, true]);
  });

  it('keeps the latest 16 decisions of a series', async () => {
    const { decisions } = await cache.get(keyOf('A'), 'd1');
    for (let n = 0; n < 20; n++) decisions.set(String(n), new Int8Array(length));
    assert.equal(cache.bytes, bytes + 16 * length);
    assert.deepEqual(
      [decisions.get('3'), (decisions.get('4') as Int8Array | undefined)?.length],
      [undefined, length],
    );
  });

  it('counts the room of new memory once the old is full', async () => {
    await cache.get(keyOf('A'), 'd1');
    [store.digest, store.count] = ['d2', length + 31 * 24];
    await cache.get(keyOf('A'), 'd2');
    assert.equal(cache.bytes, bytes);
    [store.digest, store.count] = ['d3', length + 31 * 24 + 1];
    await cache.get(keyOf('A'), 'd3');
    assert.equal(cache.bytes, candleBytes(length + 2 * 31 * 24 + 1));
    assert.deepEqual(cache.counts.loads, { whole: 1, append: 2, change: 0, none: 0 });
    for (const base of ['B', 'C']) await cache.get(keyOf(base), 'd3');
    assert.ok(cache.bytes <= 3 * bytes);
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

  it('appends once for callers that ask at the same time', async () => {
    await cache.get(keyOf('A'), 'd1');
    const release = store.hold();
    [store.digest, store.count] = ['d2', length + 1];
    const asking = Array.from({ length: 20 }, () => cache.get(keyOf('A'), 'd2'));
    release();
    const [first, ...others] = await Promise.all(asking);
    for (const other of others) assert.equal(other, first);
    assert.deepEqual(store.reads, ['A', 'A']);
    assert.equal(first.candles.time.length, length + 1);
  });

  it('reads again for a caller that knows of a later change than the read under way may have seen', async () => {
    const release = store.hold();
    const early = cache.get(keyOf('A'), 'd1');
    [store.digest, store.count] = ['d2', length + 1];
    const late = Array.from({ length: 5 }, () => cache.get(keyOf('A'), 'd2'));
    release();
    assert.equal((await early).series.digest, 'd1');
    for (const { series, candles } of await Promise.all(late))
      assert.deepEqual([series.digest, candles.time.length], ['d2', length + 1]);
    assert.deepEqual(store.reads, ['A', 'A']);
  });

  it('renews what is cached, which is no use of it', async () => {
    for (const base of ['A', 'B', 'C']) await cache.get(keyOf(base), 'd1');
    [store.digest, store.count] = ['d2', length + 1];
    store.reads.length = 0;
    for (const id of ['csv:A/USDT:1h', 'csv:X/USDT:1h']) await cache.renew(id);
    assert.deepEqual(store.reads, ['A']);
    const { hits, misses } = cache.counts;
    assert.equal((await cache.get(keyOf('B'), 'd1')).series.digest, 'd1');
    assert.deepEqual([cache.counts.hits, cache.counts.misses], [hits + 1, misses]);
    [store.digest, store.count] = ['d1', length];
    await cache.get(keyOf('D'), 'd1');
    assert.deepEqual(
      ['A', 'B', 'C', 'D'].map((base) => cache.has(`csv:${base}/USDT:1h`)),
      [false, true, true, true],
    );
  });

  it('does not bring back what was dropped while it was renewed', async () => {
    await cache.get(keyOf('A'), 'd1');
    const release = store.hold();
    const renewing = cache.renew('csv:A/USDT:1h');
    const asking = ['B', 'C', 'D'].map((base) => cache.get(keyOf(base), 'd1'));
    release();
    await Promise.all([renewing, ...asking]);
    assert.equal(cache.bytes, 3 * bytes);
    assert.equal(cache.has('csv:A/USDT:1h'), false);
  });

  it('does not keep a failure', async () => {
    store.failure = new AppError('mongodb_unavailable', 'MongoDB does not answer');
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
