/** A compute node, known to /readyz as others are, whose backtests report `taken` and run until the message `go` comes from the test. */
import { once } from 'node:events';
import { backtestJob } from '../../../jobs/definitions/backtest.js';
import { defineJob } from '../../../jobs/job.js';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { runRole } from '../../../storage/process/role.js';
import { openTestNode } from './test-node.js';

await runRole('compute', async ({ servers, log, report }) => {
  const gated = defineJob({
    ...backtestJob,
    run: async () => {
      const go = once(process, 'message');
      report('taken');
      await go;
      return { id: 'gated'.padEnd(64, '0'), trades: [], assumptions: {} } as never;
    },
  });
  const { redisUrl } = servers;
  const node = await openTestNode({ redisUrl, jobs: [gated] as readonly AnyJob[], log });
  const announced = announceNode(node.redis, 'compute', () => ({
    threads: { interactive: 1, background: 1 },
    busy: null,
    running: node.worker.running,
  }));
  return {
    async close() {
      await announced.stop();
      await node.close();
    },
  };
});
