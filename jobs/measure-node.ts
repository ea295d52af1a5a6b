import type { Metrics } from '../storage/metrics.js';
import type { CandleCache } from './candle-cache.js';
import type { ThreadPools } from './job.js';
import type { TaskRun, ThreadPool } from './pool.js';

/** The same pools, which count their tasks and the threads that are busy. */
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

interface MeasuredPool extends ThreadPool {
  readonly busy: number;
  readonly waiting: number;
}

function measured(pool: ThreadPool, metrics: Metrics): MeasuredPool {
  let tasks = 0;
  const count = async <Output>(name: string, run: Promise<TaskRun<Output>>): Promise<TaskRun<Output>> => {
    tasks++;
    try {
      const ended = await run;
      metrics.taskEnded(name, ended.computeMs);
      return ended;
    } finally {
      tasks--;
    }
  };
  return {
    threads: pool.threads,
    get busy() {
      return Math.min(tasks, pool.threads);
    },
    get waiting() {
      return Math.max(0, tasks - pool.threads);
    },
    run: (name, ...rest) => count(name, pool.run(name, ...rest)),
    runToText: (name, ...rest) => count(name, pool.runToText(name, ...rest)),
    close: () => pool.close(),
  };
}
