import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';

export interface RetryDeadLetterInput {
  id: string;
}

export interface RetryDeadLetterOutput {
  id: string;
  name: string;
}

/** Runs a dead job again and removes its dead letter when it succeeds. Throws the error of the run, or `no_worker`. */
export const retryDeadLetter = defineOperation<RetryDeadLetterInput, RetryDeadLetterOutput>({
  id: 'operator-retry',
  summary: 'Runs a dead job again, and removes it from the dead jobs when it succeeds.',
  scope: 'operator',
  cost: 5,
  input: Joi.object<RetryDeadLetterInput, true>({
    id: Joi.string().max(64).required().description('id of a dead job'),
  }),
  output: Joi.object<RetryDeadLetterOutput, true>({
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
