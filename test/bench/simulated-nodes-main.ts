/** As many compute nodes as SIMULATED_NODES says in one process, whose tasks wait and take no thread. */
import type { AnyJob } from '../../jobs/definitions/index.js';
import { runRole } from '../../storage/process/role.js';
import { openTestNode } from '../support/jobs/test-node.js';
import { waitJob } from './bench-jobs.js';

await runRole('compute', async ({ settings, servers, log }) => {
  const nodes = await Promise.all(
    Array.from({ length: Number(process.env.SIMULATED_NODES) }, () =>
      openTestNode({
        redisUrl: servers.redisUrl,
        jobs: [waitJob] as readonly AnyJob[],
        log,
        threads: settings.THREADS,
        resultBytes: 2 ** 20,
        queues: ['backtest'],
      }),
    ),
  );
  return { close: async () => void (await Promise.all(nodes.map((node) => node.close()))) };
});
