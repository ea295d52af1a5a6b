import assert from 'node:assert/strict';
import { LRUCache } from 'lru-cache';
import { boundedCache } from '../../../storage/process/bounded-cache.js';
import { until } from '../../support/process/until.js';

const usedBytes = () => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

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
    await until('the end of its time', () => cache.get('a') === undefined);
  });

  it('takes memory for the entries that it has', () => {
    const bytesOf = (make: () => object) => {
      const before = usedBytes();
      const made = make();
      return [usedBytes() - before, made] as const;
    };
    const [ofAll, caches] = bytesOf(() => Array.from({ length: 1_000 }, () => boundedCache<number>(100_000)));
    // It makes room for all of its entries.
    const [ofOne] = bytesOf(() => new LRUCache<string, number>({ max: 100_000 }));
    assert.equal(Object.keys(caches).length, 1_000);
    assert.ok(ofAll < 100 * ofOne, `${ofAll} bytes for 1,000, ${ofOne} for one with all of its room`);
  });
});
