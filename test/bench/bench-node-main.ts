/** A compute node that knows the jobs of the benchmarks besides its own. */
import { CandleCache } from '../../jobs/node/candle-cache.js';
import { jobs, type AnyJob } from '../../jobs/definitions/index.js';
import { backgroundThread, openPool } from '../../jobs/node/pool.js';
import { openStorage } from '../../storage/index.js';
import { runRole } from '../../storage/process/role.js';
import { openTestNode } from '../support/jobs/test-node.js';
import { spinJob, waitJob } from './bench-jobs.js';

await runRole('compute', async ({ settings, servers, log }) => {
  const storage = openStorage(servers.mongodbUrl, { timeoutMs: 5_000 });
  const threads = settings.THREADS;
  const threadMemoryMb = settings.THREAD_MEMORY_MB;
  const filename = new URL('./bench-thread.js', import.meta.url).href;
  const pools = {
    interactive: openPool({ threads, threadMemoryMb, filename }),
    background: openPool({ threads, threadMemoryMb, filename: backgroundThread }),
  };
  const candles = new CandleCache(storage.candles, settings.CANDLE_CACHE_MB * 2 ** 20);
  const node = await openTestNode({
    redisUrl: servers.redisUrl,
    jobs: [...jobs, spinJob, waitJob] as readonly AnyJob[],
    log,
    pools,
    tools: { storage, candles },
    resultBytes: settings.RESULT_CACHE_MB * 2 ** 20,
  });
  return {
    async close() {
      await node.close();
      await Promise.all([pools.interactive.close(), pools.background.close()]);
      await storage.close();
    },
  };
});
