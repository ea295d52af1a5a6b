import assert from 'node:assert/strict';
import { connected, failFast, openRedis, patient } from '../../storage/redis.js';
import { announceSeries } from '../../storage/series-announcements.js';
import { SeriesDirectory } from '../../storage/series-directory.js';
import type { SeriesKey } from '../../storage/series.js';
import { randomCandles } from '../support/random-candles.js';
import { freshRedisUrl } from '../support/servers.js';
import { temporaryRedis } from '../support/temporary-redis.js';
import { until } from '../support/until.js';
import { temporaryStorage } from './temporary-storage.js';

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
    directory = new SeriesDirectory(counted, redis.another(), redis.redis);
    await until('a cached series', async () => {
      const before = reads;
      await directory.find(key);
      return reads === before;
    });
  });
  after(() => directory.close());

  it('has another version after a change that could not be told when it was made', async () => {
    const writer = openRedis(await freshRedisUrl(), failFast);
    await connected(writer);
    const own = new SeriesDirectory(context.storage.series, writer.duplicate(patient), writer);
    const announce = announceSeries(writer);
    await announce(['csv:BTC/USDT:1h']);
    const before = await own.version('csv');
    // The connection is lost, and comes back by itself.
    writer.disconnect(true);
    await until('the loss', () => writer.status !== 'ready');
    await announce(['csv:BTC/USDT:1h', 'demo:ETH/USDT:1h']);
    await until('another version', async () => (await own.version('csv').catch(() => before)) !== before);
    assert.equal(await own.version('demo'), '1');
    own.close();
    writer.disconnect();
  });

  it('reads a series once for all who ask at the same moment', async () => {
    const other = { ...key, base: 'NOPE' };
    reads = 0;
    const found = await Promise.all(Array.from({ length: 500 }, () => directory.find(other)));
    assert.deepEqual([reads, new Set(found)], [1, new Set([null])]);
    // What is not there may come at any time.
    await directory.find(other);
    assert.equal(reads, 2);
  });

  it('says that Redis is away when it cannot ask for a version', async () => {
    const away = openRedis('redis://127.0.0.1:1', failFast);
    const { series } = context.storage;
    const apart = new SeriesDirectory(series, away, away);
    await assert.rejects(apart.version('csv'), { code: 'redis_unavailable' });
    apart.close();
  });

  it('gives nobody what was read before a change they have heard of', async () => {
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
