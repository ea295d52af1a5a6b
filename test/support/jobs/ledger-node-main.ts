/** A compute node that knows the jobs of the ledger, and reports the number of each question it computes. */
import type { Job } from '../../../jobs/job.js';
import { computeTools } from '../../../jobs/node/node-tools.js';
import { JobWorker } from '../../../jobs/node/job-worker.js';
import { openStorage } from '../../../storage/index.js';
import { connected, openRedis, patient } from '../../../storage/servers/redis.js';
import { runRole } from '../../../storage/process/role.js';
import { ledgerJobs } from './ledger-jobs.js';
import { openMisbehavingPool } from './misbehaving-pool.js';

await runRole('compute', async ({ servers, log, report }) => {
  const redis = openRedis(servers.redisUrl, patient);
  await connected(redis);
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
  const worker = new JobWorker({
    redis,
    jobs: jobs,
    tools: computeTools({ storage, pools, log } as never),
    resultBytes: Number(process.env.LEDGER_RESULT_BYTES ?? 2 ** 24),
  });
  await worker.ready();
  return {
    async close() {
      await worker.close();
      await Promise.all([interactive.close(), background.close()]);
      redis.disconnect();
      await storage.close();
    },
  };
});
