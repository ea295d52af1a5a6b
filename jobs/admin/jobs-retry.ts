import { randomUUID } from 'node:crypto';
import type { Command } from './command.js';
import { withCluster } from './with-cluster.js';

export const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'runs a job that failed for good again, and throws it away when that succeeds',
  options: { id: { value: 'I', required: true } },
  async run({ id }, context) {
    const traceId = `retry-${randomUUID()}`;
    const { queue, name } = await withCluster(context, (cluster) => cluster.retry(id!, traceId));
    return { data: { id, queue, name, traceId }, lines: [`"${name}" succeeded (trace ${traceId})`] };
  },
};
