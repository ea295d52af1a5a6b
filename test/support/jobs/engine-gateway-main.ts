/** A gateway that asks what a message names, a list of numbers, all at once, and reports the answers as JSON. */
import { JobClient } from '../../../jobs/requests/job-client.js';
import { runRole } from '../../../storage/process/role.js';
import { engineJob } from './engine-job.js';

await runRole('gateway', async ({ servers, report }) => {
  const client = await JobClient.open(servers.redisUrl, { depthLimit: 10_000 });
  const job = engineJob(async () => undefined);
  const ask = async (n: number) => {
    const failed = (error: { code?: string }) => ({ n, engine: `failed: ${error.code}` });
    return client.run(job, { n }, { traceId: `asked ${n}` }).then(({ result }) => result, failed);
  };
  process.on('message', (numbers: number[]) => {
    void Promise.all(numbers.map(ask)).then((answers) => report(JSON.stringify(answers)));
  });
  return { close: () => client.close() };
});
