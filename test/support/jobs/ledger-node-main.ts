/** A compute node that knows the jobs of the ledger, and reports the number of each question it computes. */
import type { Job } from '../../../jobs/job.js';
import { openStorage } from '../../../storage/index.js';
import { runRole } from '../../../storage/process/role.js';
import { ledgerJobs } from './ledger-jobs.js';
import { openMisbehavingPool } from './misbehaving-pool.js';
import { openTestNode } from './test-node.js';

await runRole('compute', async ({ servers, log, report }) => {
  const storage = openStorage(servers.mongodbUrl, { timeoutMs: 5_000 });
  const [interactive, background] = [1, 2].map((threads) => openMisbehavingPool({ threads }));
  const reporting = (job: Job<string, { n: number }, string>): typeof job => ({
    ...job,
    run(payload, tools, run) {
      report(String(payload.n));
      return job.run(payload, tools, run);
    },
  });
  const jobs = ledgerJobs.map((job) => reporting(job));
  const pools = { interactive: interactive.pool, background: background.pool };
  const resultBytes = Number(process.env.LEDGER_RESULT_BYTES ?? 2 ** 24);
  const { redisUrl } = servers;
  const node = await openTestNode({ redisUrl, jobs, log, pools, tools: { storage }, resultBytes });
  return {
    async close() {
      await node.close();
      await Promise.all([interactive.close(), background.close()]);
      await storage.close();
    },
  };
});
