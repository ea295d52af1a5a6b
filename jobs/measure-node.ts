import type { Metrics } from '../storage/metrics.js';
import type { CandleCache } from './candle-cache.js';
import type { ThreadPools } from './job.js';
import type { TaskRun, ThreadPool } from './pool.js';

/** The same pools, which count their tasks; the threads that are busy are looked up. */
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

/** Has the bytes and reads of the candle cache looked up. */
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

function measured(pool: ThreadPool, metrics: Metrics): ThreadPool {
  const count = async <Output>(name: string, run: Promise<TaskRun<Output>>): Promise<TaskRun<Output>> => {
    const ended = await run;
    metrics.taskEnded(name, ended.computeMs);
    return ended;
  };
  return {
    threads: pool.threads,
    get busy() {
      return pool.busy;
    },
    get waiting() {
      return pool.waiting;
    },
    run: (name, ...rest) => count(name, pool.run(name, ...rest)),
    runToText: (name, ...rest) => count(name, pool.runToText(name, ...rest)),
    close: () => pool.close(),
  };
}
