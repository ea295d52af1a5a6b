import type { Cluster } from '../../cluster/cluster.js';
import type { CommandContext } from './with-servers.js';

/**
 * Opens the cluster and its queues for a command, and closes them when it is done. They are loaded here because BullMQ and
 * the job definitions take about 0.4 s, which other commands need not wait for.
 */
export async function withCluster<T>(
  { redis, redisUrl, settings }: CommandContext,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const [{ Cluster }, { JobClient }] = await Promise.all([
    import('../../cluster/cluster.js'),
    import('../../requests/job-client.js'),
  ]);
  const queues = await JobClient.open(redisUrl, { depthLimit: settings.QUEUE_DEPTH });
  const cluster = new Cluster(redis, queues);
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
    await queues.close();
  }
}
