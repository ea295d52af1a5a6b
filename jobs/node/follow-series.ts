import type { Redis } from 'ioredis';
import { listenToSeries } from '../../storage/candles/series-announcements.js';
import type { CandleCache } from './candle-cache.js';

/** How many series are read at a time: candles of all pairs close in the same moment, and others want to read as well. */
const mostAtOnce = 4;

/**
 * Brings cached series up to date when their writer tells of new candles, so that the first question after a close finds
 * them. What is not heard, or cannot be read, is read when it is asked for. `subscriber` is a connection of its own.
 */
export function followSeries(cache: CandleCache, subscriber: Redis): { close(): void } {
  const waiting = new Set<string>();
  let running = 0;
  const next = () => {
    const [id] = waiting;
    if (id === undefined || running === mostAtOnce) return;
    waiting.delete(id);
    running++;
    void cache
      .renew(id)
      .catch(() => undefined)
      .finally(() => {
        running--;
        next();
      });
    next();
  };
  const announcements = listenToSeries(subscriber, {
    changed(ids) {
      for (const id of ids) if (cache.has(id)) waiting.add(id);
      next();
    },
  });
  return {
    close() {
      waiting.clear();
      announcements.close();
    },
  };
}
