import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';
import type { ScheduleView } from '../cluster/cluster.js';
import { optional, required } from './cli/command-option.js';
import { defineCommand, defineNoun } from './cli/define-command.js';
import { listResult, tableOf } from './cli/table-of.js';
import { withCluster } from './cli/with-cluster.js';

const idMeaning = 'id of the dead job, as "jobs dead" shows it';

const dead = defineCommand({
  name: 'dead',
  summary: 'List the dead jobs: those that failed by a bug or a crash',
  details: 'They are kept for two weeks. --json shows the payload and the stack of each as well.',
  options: { queue: optional({ value: 'name', meaning: 'one queue only, as in backtest' }) },
  examples: ['npm run admin -- jobs dead', 'npm run admin -- jobs dead --queue backtest --json'],
  async run({ queue }, context) {
    const letters = await withCluster(context, (cluster) => cluster.deadLetters(queue));
    return listResult(letters, deadTitles, letters.map(deadRow), 'there are no dead jobs');
  },
});

const deadTitles = ['id', 'queue', 'job', 'code', 'message', 'times', 'attempts', 'node', 'at', 'trace'];
const shownMessage = 60;

function deadRow({ id, queue, name, error, times, attempts, node, at, traceId }: DeadLetter): string[] {
  const message = error.message.replace(/\s+/g, ' ').slice(0, shownMessage);
  return [id, queue, name, error.code, message, String(times), String(attempts), node, at, traceId];
}

const drop = defineCommand({
  name: 'drop',
  summary: 'Delete a dead job, or all of them',
  options: { id: required({ value: 'id', meaning: `${idMeaning}, or "all"` }) },
  examples: ['npm run admin -- jobs drop --id I', 'npm run admin -- jobs drop --id all'],
  async run({ id }, context) {
    const dropped = await withCluster(context, (cluster) => cluster.drop(id));
    return { data: { dropped }, lines: [`dead jobs deleted: ${dropped}`] };
  },
});

const retry = defineCommand({
  name: 'retry',
  summary: 'Run a dead job again, and delete it if it succeeds',
  options: { id: required({ value: 'id', meaning: idMeaning }) },
  examples: ['npm run admin -- jobs retry --id I'],
  async run({ id }, context) {
    const traceId = `retry-${randomUUID()}`;
    const { queue, name } = await withCluster(context, (cluster) => cluster.retry(id, traceId));
    return { data: { id, queue, name, traceId }, lines: [`"${name}" succeeded (trace ${traceId})`] };
  },
});

const run = defineCommand({
  name: 'run',
  summary: 'Run a schedule now and wait until it ends',
  options: {
    name: required({ value: 'schedule', meaning: 'schedule, as "jobs schedules" shows it' }),
  },
  examples: ['npm run admin -- jobs run --name clean-up'],
  async run({ name }, context) {
    const run = await withCluster(context, (cluster) => cluster.runSchedule(name));
    const ms = Date.parse(run.endedAt!) - Date.parse(run.startedAt);
    return { data: run, lines: [`"${name}" ${run.outcome} in ${ms} ms on ${run.node}: ${run.note}`] };
  },
});

const schedules = defineCommand({
  name: 'schedules',
  summary: 'List the schedules with their last and next run',
  details: 'The pattern names second, minute, hour, day of the month, month and day of the week, in UTC.',
  options: {},
  examples: ['npm run admin -- jobs schedules'],
  async run(_values, context) {
    const views = await withCluster(context, (cluster) => cluster.schedules());
    return { data: views, lines: tableOf(scheduleTitles, views.map(scheduleRow)) };
  },
});

const scheduleTitles = ['name', 'pattern (UTC)', 'last run', 'ended', 'next run', 'note'];

const scheduleRow = ({ name, pattern, lastRun, nextRunAt }: ScheduleView): string[] => [
  name,
  pattern,
  lastRun?.startedAt ?? 'never',
  lastRun?.outcome ?? '-',
  nextRunAt ?? 'not planned',
  lastRun?.note ?? '',
];

export const jobsCommand = defineNoun('jobs', {
  summary: 'Dead jobs and schedules',
  examples: ['npm run admin -- jobs dead', 'npm run admin -- jobs run --name clean-up'],
  commands: [dead, drop, retry, run, schedules],
});
