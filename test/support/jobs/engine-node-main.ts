/** A compute node that tells its engine. It reports the negative numbers that it is asked, and keeps them until a message comes. */
import { once } from 'node:events';
import type { AnyJob } from '../../../jobs/definitions/index.js';
import { JobWorker } from '../../../jobs/node/job-worker.js';
import { computeTools } from '../../../jobs/node/node-tools.js';
import { announceNode } from '../../../storage/cluster/nodes.js';
import { runRole } from '../../../storage/process/role.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { engineJob } from './engine-job.js';

await runRole('compute', async ({ servers, log, report }) => {
  const redis = openRedis(servers.redisUrl, patient);
  await connected(redis);
  const job = engineJob(async (n) => {
    if (n >= 0) return;
    const go = once(process, 'message');
    report(`keeps ${n}`);
    await go;
  });
  const tools = computeTools({
    log,
    pools: { interactive: { threads: 1 }, background: { threads: 1 } },
  } as never);
  const oneAtATime = { ...tools, concurrencyOf: () => 1 };
  const worker = new JobWorker({
    redis,
    jobs: [job] as readonly AnyJob[],
    tools: oneAtATime,
    resultBytes: 2 ** 24,
  });
  await worker.ready();
  const node = announceNode(redis, 'compute', () => ({ threads: null, busy: null, running: worker.running }));
  return {
    async close() {
      await node.stop();
      await worker.close();
      redis.disconnect();
    },
  };
});
