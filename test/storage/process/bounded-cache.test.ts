import assert from 'node:assert/strict';
import { boundedCache } from '../../../storage/process/bounded-cache.js';

describe('a bounded cache', () => {
  it('drops the entry that was used least recently', () => {
    const cache = boundedCache<number>(3);
    for (const key of ['a', 'b', 'c']) cache.set(key, 1);
    cache.get('a');
    cache.set('d', 1);
    assert.deepEqual([...cache.keys()].sort(), ['a', 'c', 'd']);
  });

  it('holds as many entries as it may, also when they are set again and removed', () => {
    const cache = boundedCache<number>(100);
    for (let n = 0; n < 1_000; n++) {
      cache.set(`key ${n}`, n);
      cache.set(`key ${n}`, -n);
      if (n % 7 === 0) cache.delete(`key ${n - 1}`);
    }
    assert.ok(cache.size > 90 && cache.size <= 100, String(cache.size));
    assert.equal(cache.get('key 999'), -999);
  });

  it('forgets after its time', async () => {
    const cache = boundedCache<number>(3, { ttl: 1 });
    cache.set('a', 1);
    const started = performance.now();
    while (performance.now() - started < 5) await new Promise(setImmediate);
    assert.equal(cache.get('a'), undefined);
  });

  it('takes memory for the entries that it has', () => {
    const before = process.memoryUsage().rss;
    const caches = Array.from({ length: 1_000 }, () => boundedCache<number>(100_000));
    assert.equal(caches.length, 1_000);
    // 3 GB if each made room for all.
    assert.ok(process.memoryUsage().rss - before < 100e6);
  });
});
