import type { Metrics } from '../../storage/process/metrics.js';
import type { CandleCache, CandleStore } from './candle-cache.js';
import type { ThreadPools } from './node-tools.js';
import type { ThreadPool, TaskRun } from './pool.js';
import { traced, type Tracing } from '../../storage/process/tracing.js';
import { seriesId } from '../../storage/candles/series.js';

/** Runs a task, with something before or after it. */
type AroundTask = <Output>(task: string, run: () => Promise<TaskRun<Output>>) => Promise<TaskRun<Output>>;

/** The same pool, with `around` applied to each task. */
const aroundTasks = (pool: ThreadPool, around: AroundTask): ThreadPool => ({
  threads: pool.threads,
  get busy() {
    return pool.busy;
  },
  get waiting() {
    return pool.waiting;
  },
  run: (name, ...rest) => around(name, () => pool.run(name, ...rest)),
  runToText: (name, ...rest) => around(name, () => pool.runToText(name, ...rest)),
  close: () => pool.close(),
});

/** The same pools, with a span for each task of a traced run, from the wait for a thread to the response. */
export const tracePools = ({ interactive, background }: ThreadPools, tracing: Tracing): ThreadPools => ({
  interactive: tracedPool(interactive, tracing),
  background: tracedPool(background, tracing),
});

const tracedPool = (pool: ThreadPool, tracing: Tracing): ThreadPool =>
  aroundTasks(pool, (task, runTask) =>
    traced(tracing, `thread ${task}`, {}, async (span) => {
      const run = await runTask();
      span?.set({ 'tidemark.compute_ms': run.computeMs });
      return run;
    }),
  );

/** The same candles, with a span for each series that a traced run reads from storage. */
export const traceCandles = (source: CandleStore, tracing: Tracing): CandleStore => ({
  read(key, held) {
    const attributes = { 'tidemark.series': seriesId(key), 'tidemark.whole': held === undefined };
    return traced(tracing, 'load candles', { attributes }, () => source.read(key, held));
  },
});

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
