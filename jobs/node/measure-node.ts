import type { Metrics } from '../../storage/process/metrics.js';
import { aroundTasks } from './around-tasks.js';
import type { CandleCache } from './candle-cache.js';
import type { ThreadPools } from './node-tools.js';
import type { ThreadPool } from './pool.js';

/** The same pools, with metrics of their tasks and threads. */
export function measurePools({ interactive, background }: ThreadPools, metrics: Metrics): ThreadPools {
  const pools = { interactive: measured(interactive, metrics), background: measured(background, metrics) };
  const named = Object.entries(pools);
  metrics.read('threads', () =>
    named.flatMap(([pool, { threads, busy }]) => [
      [busy, { pool, state: 'busy' }],
      [threads - busy, { pool, state: 'idle' }],
    ]),
  );
  metrics.read('poolWaiting', () => named.map(([pool, { waiting }]) => [waiting, { pool }]));
  return pools;
}

/** Adds the metrics of the candle cache. */
export function measureCache(candles: CandleCache, metrics: Metrics): void {
  metrics.read('cacheBytes', () => [[candles.bytes]]);
  metrics.read('cacheReads', () => [
    [candles.counts.hits, { result: 'hit' }],
    [candles.counts.misses, { result: 'miss' }],
  ]);
  metrics.read('cacheLoads', () =>
    Object.entries(candles.counts.loads).map(([brought, count]) => [count, { brought }]),
  );
}

const measured = (pool: ThreadPool, metrics: Metrics): ThreadPool =>
  aroundTasks(pool, async (name, run) => {
    const ended = await run();
    metrics.taskEnded(name, ended.computeMs);
    return ended;
  });
