import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { count, text } from '../output-fields.js';

const letterId = Joi.string().max(64).required().description('id of a job that failed for good');

/** Runs a job that failed for good again; it is thrown away when that succeeds. */
export const retryDeadLetter = defineOperation<{ id: string }, { id: string; name: string }>({
  id: 'operator-retry',
  summary: 'Runs a job that failed for good again, and throws it away when that succeeds.',
  scope: 'operator',
  cost: 5,
  input: Joi.object<{ id: string }, true>({ id: letterId }),
  output: Joi.object<{ id: string; name: string }, true>({
    id: text('id of the dead letter that was'),
    name: text('name of the job'),
  }),
  errors: ['no_worker'],
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const { name } = await cluster.retry(id, requestId);
    log.info({ traceId: requestId, operator: user!.userId, id, job: name }, 'dead letter retried');
    return { payload: { id, name } };
  },
});

/** Throws a job that failed for good away, or `all` of them. */
export const dropDeadLetter = defineOperation<{ id: string }, { dropped: number }>({
  id: 'operator-drop',
  summary: 'Throws away a job that failed for good, or all of them.',
  scope: 'operator',
  cost: 1,
  input: Joi.object<{ id: string }, true>({ id: letterId.description('id of a dead letter, or all') }),
  output: Joi.object<{ dropped: number }, true>({ dropped: count('how many were thrown away') }),
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const dropped = await cluster.drop(id);
    log.info({ traceId: requestId, operator: user!.userId, id, dropped }, 'dead letters dropped');
    return { payload: { dropped } };
  },
});
