import type { CommandContext } from './command.js';
import { Cluster } from '../cluster/cluster.js';
import { JobClient } from '../requests/job-client.js';

/** Opens what a command about the cluster needs, and closes it when the command is done. */
export async function withCluster<T>(
  { redis, redisUrl, settings }: CommandContext,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const queues = await JobClient.open(redisUrl, { depthLimit: settings.QUEUE_DEPTH });
  const cluster = new Cluster(redis, queues);
  try {
    return await work(cluster);
  } finally {
    await cluster.close();
    await queues.close();
  }
}
