import type { Command } from './command.js';
import { withCluster } from './with-cluster.js';

export const jobsRun: Command = {
  name: 'jobs run',
  summary: 'runs a schedule now and waits for its end',
  options: { name: { value: 'X', required: true } },
  async run({ name }, context) {
    const run = await withCluster(context, (cluster) => cluster.runSchedule(name!));
    const ms = Date.parse(run.endedAt!) - Date.parse(run.startedAt);
    return { data: run, lines: [`"${name}" ${run.outcome} in ${ms} ms on ${run.node}: ${run.note}`] };
  },
};
