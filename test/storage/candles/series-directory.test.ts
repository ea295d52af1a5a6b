import assert from 'node:assert/strict';
import { announceSeries, SeriesDirectory } from '../../../storage/candles/series-directory.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('SeriesDirectory', () => {
  const context = temporaryStorage();
  const redis = temporaryRedis();
  const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1h' } as const;
  let directory: SeriesDirectory;
  let reads = 0;
  /** Holds reads up until it is resolved. */
  let held = Promise.resolve();

  before(async () => {
    await context.storage.candles.add(key, randomCandles(10));
    const { series } = context.storage;
    const counted = {
      find: async (wanted: SeriesKey) => {
        reads++;
        const found = await series.find(wanted);
        await held;
        return found;
      },
    };
    directory = new SeriesDirectory(counted, redis.another());
    await until('a cached series', async () => {
      const before = reads;
      await directory.find(key);
      return reads === before;
    });
  });
  after(() => directory.close());

  it('shares one read among concurrent calls', async () => {
    const other = { ...key, base: 'NOPE' };
    reads = 0;
    const found = await Promise.all(Array.from({ length: 500 }, () => directory.find(other)));
    assert.deepEqual([reads, new Set(found)], [1, new Set([null])]);
    // What is not there may come at any time.
    await directory.find(other);
    assert.equal(reads, 2);
  });

  it('returns nothing that was read before an announced change', async () => {
    let release!: () => void;
    held = new Promise((resolve) => (release = resolve));
    await announceSeries(redis.redis)(['csv:BTC/USDT:1h']);
    reads = 0;
    const early: Promise<unknown>[] = [];
    await until('a read', () => {
      early.push(directory.find(key));
      return reads === 1;
    });
    await announceSeries(redis.redis)(['csv:BTC/USDT:1h']);
    await until('another read', () => {
      early.push(directory.find(key));
      return reads === 2;
    });
    release();
    held = Promise.resolve();
    await Promise.all(early);
    await until('a cached series', async () => {
      const before = reads;
      await directory.find(key);
      return reads === before;
    });
  });
});
