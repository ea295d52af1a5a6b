import Joi from 'joi';
import type { ClusterView, ScheduleView } from '../../../jobs/cluster/cluster.js';
import type { DeadLetter } from '../../../storage/cluster/dead-letters.js';
import { nodeRoles, type SeenNode, type ThreadCounts } from '../../../storage/cluster/nodes.js';
import type { ScheduleRun } from '../../../storage/cluster/schedule-runs.js';
import { count, date, figure, flag, list, objectField, oneOf, text } from '../output-fields.js';

const threads = (description: string) =>
  objectField<ThreadCounts>(
    { interactive: count('for what somebody waits for'), background: count('for long work') },
    description,
  ).allow(null);

const node = Joi.object<SeenNode, true>({
  id: text('id of this run of the process'),
  role: oneOf(nodeRoles, 'what it does'),
  host: text('name of the machine'),
  pid: count('id of the process on its machine'),
  version: text('version of the service it runs'),
  startedAt: date('when it started, by its own clock'),
  queues: list(text('name of a queue'), 'the queues it takes from'),
  threads: threads('threads that compute; null where it has none'),
  busy: threads('how many of them compute now; null where it has none'),
  running: count('what it has in hand: questions that are computed or waited for, runs of schedules'),
  load: objectField<SeenNode['load']>(
    {
      cpu: figure('cores the whole process kept busy'),
      eventLoop: figure('share of the time, as a fraction, in which its event loop was busy'),
    },
    'since the last heartbeat',
  ),
  lastHeartbeat: date('when it last told of itself'),
  lost: flag('whether it has stopped to tell of itself without having said goodbye'),
});

const queue = Joi.object<ClusterView['queues'][number], true>({
  name: text('name of the queue'),
  nodes: count('processes alive that take from it'),
  waiting: count('jobs that wait'),
  active: count('jobs that run'),
  delayed: count('jobs that are to run later'),
  failed: count('jobs of it that failed for good'),
  oldestWaitMs: count('how long the longest waiting job has waited, in ms; null where none does').allow(null),
});

const lastRun = objectField<ScheduleRun>(
  {
    name: text('name of the schedule'),
    jobId: text('id of the job behind the run'),
    dueAt: date('when it was due; null for one that somebody asked for').allow(null),
    startedAt: date('when it started'),
    endedAt: date('when it ended; null while it runs').allow(null),
    outcome: oneOf(['running', 'done', 'failed', 'interrupted'], 'how it ended'),
    note: text('what it did, or why it failed, in a sentence; empty while it runs').allow(''),
    node: text('host and process that ran it, as in host:4711'),
    attempt: count('which try it was, from 1'),
  },
  'the latest run; null before the first',
).allow(null);

const schedule = Joi.object<ScheduleView, true>({
  name: text('name of the schedule'),
  summary: text('what it does, in a sentence'),
  pattern: text('second, minute, hour, day of the month, month, day of the week; UTC').example('0 0 2 * * *'),
  nextRunAt: date('when it is due next; null while no worker has offered itself yet').allow(null),
  lastRun,
});

/** What was asked can be anything: only the compiler's check of all keys has no type for that. */
const letter = Joi.object<DeadLetter>({
  id: text('the same for the same question, however often it fails'),
  queue: text('name of its queue'),
  name: text('name of the job'),
  payload: Joi.any().required().description('what was asked, secrets hidden; null where it was too large'),
  complete: flag('whether the payload is what was asked: else it cannot run again'),
  error: objectField<DeadLetter['error']>(
    {
      code: text('the identity of the error'),
      message: text('what went wrong, in a sentence').allow(''),
      stack: text('where in the program; null where that is not known').allow('', null),
    },
    'the last failure',
  ),
  traceId: text('request id of whoever asked last'),
  attempts: count('tries of the last time'),
  node: text('host and process on which it failed last, as in host:4711'),
  at: date('when it failed last'),
  times: count('how often it has failed for good'),
});

/** The shape of the state of a cluster as it is answered. */
export const clusterOutput = Joi.object<ClusterView, true>({
  at: date('when this was read'),
  nodes: list(node, 'processes that are alive, or were lost within the last minute'),
  queues: list(queue, 'queues and what waits in them'),
  schedules: list(schedule, 'work done at set times'),
  dead: list(letter, 'jobs that failed for good, the latest first'),
});
