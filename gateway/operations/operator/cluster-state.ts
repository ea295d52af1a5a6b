import Joi from 'joi';
import type { DeadLetter } from '../../../storage/cluster/dead-letters.js';
import { nodeRoles } from '../../../storage/cluster/nodes.js';
import { defineOperation } from '../../operation.js';
import { count, date, figure, flag, list, objectField, oneOf, text, answerOf } from '../output-fields.js';

const threads = (description: string) =>
  objectField(
    { interactive: count('for work that a caller waits for'), background: count('for long work') },
    description,
  ).allow(null);

const node = answerOf({
  id: text('id of this run of the process'),
  role: oneOf(nodeRoles, 'role of the process'),
  host: text('name of the machine'),
  pid: count('process id on its machine'),
  version: text('version of the service it runs'),
  engine: text('version of its engine, which names results'),
  startedAt: date('when it started, by its own clock'),
  queues: list(text('name of a queue'), 'queues it takes jobs from'),
  threads: threads('number of compute threads; null for a process without threads'),
  busy: threads('number of threads that are computing; null for a process without threads'),
  running: count('requests being computed or waited for, and schedule runs in progress'),
  load: objectField(
    {
      cpu: figure('CPU cores in use by the whole process'),
      eventLoop: figure('share of time in which the event loop was busy, 0 to 1'),
    },
    'load since the previous heartbeat',
  ),
  lastHeartbeat: date('time of the latest heartbeat'),
  lost: flag('whether its heartbeats stopped without a regular shutdown'),
});

const runningJob = answerOf({
  id: text('id of the run'),
  name: text('name of the job'),
  traceId: text('x-request-id of the request for it'),
  ms: count('how long it has run, in ms'),
  phase: text('what it is doing; null if it does not tell').allow(null, ''),
  fraction: figure('share that is done, 0 to 1; null if it does not tell').allow(null),
  node: text('host and process that run it, as in host:4711'),
});

const queue = answerOf({
  name: text('name of the queue'),
  nodes: count('live processes that take jobs from it'),
  waiting: count('waiting jobs'),
  active: count('running jobs'),
  delayed: count('jobs scheduled to run later'),
  failed: count('dead jobs of this queue'),
  oldestWaitMs: count('wait of the oldest waiting job, in ms; null if no job waits').allow(null),
});

const lastRun = objectField(
  {
    name: text('name of the schedule'),
    jobId: text('id of the job behind the run'),
    dueAt: date('when it was due; null for a run started by hand').allow(null),
    startedAt: date('when it started'),
    endedAt: date('when it ended; null while it runs').allow(null),
    outcome: oneOf(['running', 'done', 'failed', 'interrupted'], 'how it ended'),
    note: text('what it did, or why it failed, in one sentence; empty while it runs').allow(''),
    node: text('host and process that ran it, as in host:4711'),
    attempt: count('number of the attempt, from 1'),
  },
  'the latest run; null before the first',
).allow(null);

const schedule = answerOf({
  name: text('name of the schedule'),
  summary: text('what it does, in one sentence'),
  pattern: text('second, minute, hour, day of the month, month, day of the week; UTC').example('0 0 2 * * *'),
  nextRunAt: date('when it runs next; null until a worker registers the schedule').allow(null),
  lastRun,
});

/** `payload` can have any type, for which the compiler's check of all keys has no schema. */
const deadJob = Joi.object<DeadLetter>({
  id: text('id of the dead job; equal requests share it, however often they fail'),
  queue: text('name of its queue'),
  name: text('name of the job'),
  payload: Joi.any().required().description('data of the job with secrets hidden; null if it was too large'),
  complete: flag('whether the payload is stored unchanged; only then can the job run again'),
  error: objectField(
    {
      code: text('error code'),
      message: text('what went wrong, in one sentence').allow(''),
      stack: text('stack trace; null if unknown').allow('', null),
    },
    'the latest failure',
  ),
  traceId: text('x-request-id of the latest request for it'),
  attempts: count('attempts in the latest run'),
  node: text('host and process of the latest failure, as in host:4711'),
  at: date('time of the latest failure'),
  times: count('how often it has become a dead job'),
});

export const clusterState = defineOperation({
  id: 'operator-cluster',
  summary: 'Every process, queue, schedule and dead job, as they are now.',
  scope: 'operator',
  output: answerOf({
    at: date('when this state was read'),
    nodes: list(node, 'live processes, and those lost within the last minute'),
    jobs: list(runningJob, 'jobs that have run for half a second or more; the longest first'),
    queues: list(queue, 'queues and their jobs'),
    schedules: list(schedule, 'work done at set times'),
    dead: list(deadJob, 'dead jobs: every attempt failed; the latest first'),
  }),
  leadsTo: [
    { to: 'operator-cancel', fields: { id: 'payload/jobs/0/id' } },
    { to: 'operator-run-schedule', fields: { name: 'payload/schedules/0/name' } },
    { to: 'operator-retry', fields: { id: 'payload/dead/0/id' } },
    { to: 'operator-drop', fields: { id: 'payload/dead/0/id' } },
  ],
  async handle(_input, { cluster }) {
    return { payload: await cluster.view() };
  },
});
