import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';

export interface CancelJobInput {
  id: string;
}

export interface CancelJobOutput {
  id: string;
  name: string;
}

/** Ends a running job. Its callers get an error that says so. */
export const cancelJob = defineOperation<CancelJobInput, CancelJobOutput>({
  id: 'operator-cancel',
  summary: 'Ends a running job; its callers are told that it was cancelled.',
  scope: 'operator',
  cost: 1,
  input: Joi.object<CancelJobInput, true>({
    id: Joi.string().max(100).required().description('id of a running job'),
  }),
  output: Joi.object<CancelJobOutput, true>({
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
