/** A compute node that tells its engine. It reports the negative numbers that it is asked, and keeps them until a message comes. */
import { once } from 'node:events';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { runRole } from '../../../storage/process/role.js';
import { engineJob } from './engine-job.js';
import { openTestNode } from './test-node.js';

await runRole('compute', async ({ servers, log, report }) => {
  const job = engineJob(async (n) => {
    if (n >= 0) return;
    const go = once(process, 'message');
    report(`keeps ${n}`);
    await go;
  });
  const { redisUrl } = servers;
  const node = await openTestNode({ redisUrl, jobs: [job] as readonly AnyJob[], log, concurrency: 1 });
  const { worker } = node;
  const announced = announceNode(node.redis, 'compute', () => ({
    threads: null,
    busy: null,
    running: worker.running,
  }));
  return {
    async close() {
      await announced.stop();
      await node.close();
    },
  };
});
