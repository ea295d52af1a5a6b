import type { Command } from './command.js';
import { withCluster } from './with-cluster.js';

export const jobsDrop: Command = {
  name: 'jobs drop',
  summary: 'throws away a job that failed for good, or all of them',
  options: { id: { value: 'I|all', required: true } },
  async run({ id }, context) {
    const dropped = await withCluster(context, (cluster) => cluster.drop(id!));
    return { data: { dropped }, lines: [`${dropped} thrown away`] };
  },
};
