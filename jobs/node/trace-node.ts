import { traced, type Tracing } from '../../storage/process/tracing.js';
import { seriesId } from '../../storage/candles/series.js';
import { aroundTasks } from './around-tasks.js';
import type { CandleStore } from './candle-cache.js';
import type { ThreadPools } from './node-tools.js';
import type { ThreadPool } from './pool.js';

/** The same pools, with a span for each task of a traced run: waiting for a thread, the way there and back, computing. */
export const tracePools = ({ interactive, background }: ThreadPools, tracing: Tracing): ThreadPools => ({
  interactive: tracedPool(interactive, tracing),
  background: tracedPool(background, tracing),
});

const tracedPool = (pool: ThreadPool, tracing: Tracing): ThreadPool =>
  aroundTasks(pool, (task, ask) =>
    traced(tracing, `thread ${task}`, {}, async (span) => {
      const run = await ask();
      span?.set({ 'tidemark.compute_ms': run.computeMs });
      return run;
    }),
  );

/** The same source of candles, with a span for each series that a traced run had to wait for. */
export const traceCandles = (source: CandleStore, tracing: Tracing): CandleStore => ({
  read(key, held) {
    const attributes = { 'tidemark.series': seriesId(key), 'tidemark.whole': held === undefined };
    return traced(tracing, 'load candles', { attributes }, () => source.read(key, held));
  },
});
