import { Cluster } from '../../cluster/cluster.js';
import { JobQueues } from '../../requests/queue.js';
import type { CommandContext } from './with-servers.js';

/** Opens the cluster and its queues for a command, and closes them when it is done. */
export async function withCluster<T>(
  { redis, redisUrl, settings }: CommandContext,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const queues = await JobQueues.open(redisUrl, { depthLimit: settings.QUEUE_DEPTH });
  const cluster = new Cluster(redis, queues);
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
    await queues.close();
  }
}
