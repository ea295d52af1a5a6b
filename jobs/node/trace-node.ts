import { traced, type Tracing } from '../../storage/process/tracing.js';
import { seriesId } from '../../storage/candles/series.js';
import { aroundTasks } from './around-tasks.js';
import type { CandleStore } from './candle-cache.js';
import type { ThreadPools } from './node-tools.js';
import type { ThreadPool } from './pool.js';

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
