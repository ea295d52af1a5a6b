import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { listenToSeries } from '../../storage/candles/series-directory.js';
import type { CandleCache } from './candle-cache.js';

/** How many series are read at a time: the candles of all pairs close at the same moment, and jobs read series, too. */
const concurrency = 4;

/**
 * Updates cached series when their writer announces new candles, so that the first request after a close need not wait for a
 * read. A series whose announcement or read fails is read when a job needs it. `subscriber` is a connection for this alone.
 */
export function followSeries(cache: CandleCache, subscriber: Redis): { close(): void } {
  const limit = pLimit(concurrency);
  const waiting = new Set<string>();
  const update = async (id: string) => {
    waiting.delete(id);
    await cache.renew(id).catch(() => undefined);
  };
  const announcements = listenToSeries(subscriber, {
    changed(ids) {
      for (const id of ids) {
        if (!cache.has(id) || waiting.has(id)) continue;
        waiting.add(id);
        void limit(() => update(id));
      }
    },
  });
  return {
    close() {
      limit.clearQueue();
      announcements.close();
    },
  };
}
