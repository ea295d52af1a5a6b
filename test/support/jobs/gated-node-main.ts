/** A compute node, known to /readyz as others are, whose backtests report `taken` and run until the message `go` comes from the test. */
import { once } from 'node:events';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { defineJob } from '../../../jobs/job.js';
import { computeTools } from '../../../jobs/node/node-tools.js';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { JobWorker } from '../../../jobs/node/job-worker.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { runRole } from '../../../storage/process/role.js';

await runRole('compute', async ({ servers, log, report }) => {
  const redis = openRedis(servers.redisUrl, patient);
  await connected(redis);
  const gated = defineJob({
    ...backtestJob,
    run: async () => {
      const go = once(process, 'message');
      report('taken');
      await go;
      return { id: 'gated'.padEnd(64, '0'), trades: [], assumptions: {} } as never;
    },
  });
  const threads = { threads: 1 };
  const tools = computeTools({ log, pools: { interactive: threads, background: threads } } as never);
  const worker = new JobWorker({ redis, jobs: [gated] as readonly AnyJob[], tools, resultBytes: 2 ** 24 });
  await worker.ready();
  const node = announceNode(redis, 'compute', () => ({
    threads: { interactive: 1, background: 1 },
    busy: null,
    running: worker.running,
  }));
  return {
    async close() {
      await node.stop();
      await worker.close();
      redis.disconnect();
    },
  };
});
