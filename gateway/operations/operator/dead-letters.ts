import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { text, count, answerOf } from '../output-fields.js';

export const dropDeadLetter = defineOperation({
  id: 'operator-drop',
  summary: 'Deletes one dead job, or all of them.',
  scope: 'operator',
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(64).required().description('id of a dead job, or all'),
  }),
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
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(64).required().description('id of a dead job'),
  }),
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
