/** As many compute nodes as SIMULATED_NODES says in one process, whose tasks wait and take no thread. */
import { computeTools } from '../../jobs/node/node-tools.js';
import { JobWorker } from '../../jobs/node/job-worker.js';
import type { AnyJob } from '../../jobs/definitions/index.js';
import { runRole, type RoleContext } from '../../storage/process/role.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { waitJob } from './bench-jobs.js';

await runRole('compute', async (context) => {
  const nodes = await Promise.all(
    Array.from({ length: Number(process.env.SIMULATED_NODES) }, () => openNode(context)),
  );
  return { close: async () => void (await Promise.all(nodes.map((node) => node.close()))) };
});

async function openNode({ settings, servers, log }: RoleContext) {
  const redis = openRedis(servers.redisUrl, patient);
  await connected(redis);
  const threads = { threads: settings.THREADS };
  const worker = new JobWorker({
    redis,
    jobs: [waitJob] as readonly AnyJob[],
    tools: computeTools({ log, pools: { interactive: threads, background: threads } } as never),
    resultBytes: 2 ** 20,
    queues: ['backtest'],
  });
  await worker.ready();
  return {
    async close() {
      await worker.close();
      redis.disconnect();
    },
  };
}
