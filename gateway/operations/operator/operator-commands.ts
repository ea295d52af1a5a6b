import { field } from '../../../compute/model/field.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { readActivity, type ActivityMinute } from '../../../storage/cluster/activity.js';
import { defineOperation } from '../../operation.js';
import { count, date, figureOrNull, list, objectField, text, answerOf } from '../output-fields.js';

/** Starts a schedule now. The state of the service shows how the run ends. */
export const runScheduleNow = defineOperation({
  id: 'operator-run-schedule',
  summary: 'Starts a schedule now, without waiting for its end.',
  scope: 'operator',
  cost: 5,
  input: objectSchema({ name: field.text('name of the schedule', { maxLength: 64, example: 'clean-up' }) }),
  output: answerOf({ name: text('name of the schedule that was started') }),
  errors: ['no_worker', 'schedule_running'],
  async handle({ name }, { cluster, log }, { requestId, user }) {
    await cluster.startSchedule(name);
    log.info({ traceId: requestId, operator: user!.userId, schedule: name }, 'schedule started');
    return { payload: { name } };
  },
});

/** Ends a running job. Its callers get an error that says so. */
export const cancelJob = defineOperation({
  id: 'operator-cancel',
  summary: 'Ends a running job; its callers are told that it was cancelled.',
  scope: 'operator',
  input: objectSchema({ id: field.text('id of a running job', { maxLength: 100 }) }),
  output: answerOf({
    id: text('id of the job'),
    name: text('name of the job'),
  }),
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const { name, traceId } = await cluster.cancelJob(id);
    log.info(
      { traceId: requestId, operator: user!.userId, id, job: name, jobTrace: traceId },
      'job cancelled',
    );
    return { payload: { id, name } };
  },
});

export interface OperatorActivityOutput {
  minutes: ActivityMinute[];
}

const figures = (description: string) =>
  objectField(
    {
      count: count('how many ended'),
      failed: count('how many of them failed through no fault of the caller'),
      p50Ms: figureOrNull('time in ms that half of them stayed below; null if none ended'),
      p99Ms: figureOrNull('time in ms that 99 % of them stayed below; null if none ended'),
    },
    description,
  );

const minute = answerOf({
  at: date('when the minute began'),
  requests: figures('requests under /backend and /v3, over all gateways'),
  jobs: figures('jobs, over all compute nodes; a result that was stored counts, too'),
});

export const operatorActivity = defineOperation({
  id: 'operator-activity',
  summary: 'Throughput and latency of the last hour, minute by minute.',
  scope: 'operator',
  output: answerOf({
    minutes: list(minute, 'the last 60 minutes; the last one is still going on'),
  }),
  async handle(_input, { redis }) {
    return { payload: { minutes: await readActivity(redis) } };
  },
});

export const dropDeadLetter = defineOperation({
  id: 'operator-drop',
  summary: 'Deletes one dead job, or all of them.',
  scope: 'operator',
  input: objectSchema({ id: field.text('id of a dead job, or all', { maxLength: 64 }) }),
  output: answerOf({ dropped: count('number of deleted dead jobs') }),
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const dropped = await cluster.drop(id);
    log.info({ traceId: requestId, operator: user!.userId, id, dropped }, 'dead letters dropped');
    return { payload: { dropped } };
  },
});

export const retryDeadLetters = defineOperation({
  id: 'operator-retry-all',
  summary:
    'Runs all dead jobs again, and removes those that succeed. Jobs begin for 20 s; the answer tells what is left.',
  scope: 'operator',
  cost: 5,
  output: answerOf({
    retried: count('jobs that succeeded; they are removed from the dead jobs'),
    failed: count('jobs that failed again, or that no process takes'),
    incomplete: count('jobs that cannot run again, because their data was too large to keep'),
    left: count('jobs that were not begun; ask again for these'),
  }),
  async handle(_input, { cluster, log }, { requestId, user, signal }) {
    const payload = await cluster.retryAll(requestId, signal);
    log.info({ traceId: requestId, operator: user!.userId, ...payload }, 'dead letters retried');
    return { payload };
  },
});

/** Runs a dead job again and removes its dead letter when it succeeds. Throws the error of the run, or `no_worker`. */
export const retryDeadLetter = defineOperation({
  id: 'operator-retry',
  summary: 'Runs a dead job again, and removes it from the dead jobs when it succeeds.',
  scope: 'operator',
  cost: 5,
  input: objectSchema({ id: field.text('id of a dead job', { maxLength: 64 }) }),
  output: answerOf({
    id: text('id of the dead job that was removed'),
    name: text('name of the job'),
  }),
  errors: ['no_worker'],
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const { name } = await cluster.retry(id, requestId);
    log.info({ traceId: requestId, operator: user!.userId, id, job: name }, 'dead letter retried');
    return { payload: { id, name } };
  },
});
