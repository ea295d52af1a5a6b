import type { Command } from './command.js';
import { tableOf } from './table-of.js';
import { withCluster } from './with-cluster.js';

const titles = ['name', 'pattern (UTC)', 'last run', 'ended', 'next run', 'note'];

export const jobsSchedules: Command = {
  name: 'jobs schedules',
  summary: 'lists the schedules: when each ran last, how that ended, and when it runs next',
  options: {},
  async run(_options, context) {
    const schedules = await withCluster(context, (cluster) => cluster.schedules());
    const rows = schedules.map(({ name, pattern, lastRun, nextRunAt }) => [
      ...[name, pattern, lastRun?.startedAt ?? 'never', lastRun?.outcome ?? '-'],
      ...[nextRunAt ?? 'not set up', lastRun?.note ?? ''],
    ]);
    return { data: schedules, lines: tableOf(titles, rows) };
  },
};
