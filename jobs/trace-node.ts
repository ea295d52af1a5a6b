import { traced, type Tracing } from '../storage/tracing.js';
import { seriesId } from '../storage/candle-block.js';
import type { CandleSource } from './candle-cache.js';
import type { ThreadPools } from './job.js';
import type { ThreadPool } from './pool.js';

/** The same pools, with a span for each task of a traced run: waiting for a thread, the way there and back, computing. */
export const tracePools = ({ interactive, background }: ThreadPools, tracing: Tracing): ThreadPools => ({
  interactive: tracedPool(interactive, tracing),
  background: tracedPool(background, tracing),
});

const tracedPool = (pool: ThreadPool, tracing: Tracing): ThreadPool => ({
  threads: pool.threads,
  run: (name, input, signal) =>
    traced(tracing, `thread ${name}`, {}, async (span) => {
      const run = await pool.run(name, input, signal);
      span?.set({ 'tidemark.compute_ms': run.computeMs });
      return run;
    }),
  close: () => pool.close(),
});

/** The same source of candles, with a span for each series that a traced run had to wait for. */
export const traceCandles = (source: CandleSource, tracing: Tracing): CandleSource => ({
  load(key) {
    const attributes = { 'tidemark.series': seriesId(key) };
    return traced(tracing, 'load candles', { attributes }, () => source.load(key));
  },
});
