import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { count } from '../output-fields.js';

export interface DropDeadLetterInput {
  /** Id of a dead job, or `all`. */
  id: string;
}

export interface DropDeadLetterOutput {
  dropped: number;
}

/** Deletes one dead job, or `all` of them. */
export const dropDeadLetter = defineOperation<DropDeadLetterInput, DropDeadLetterOutput>({
  id: 'operator-drop',
  summary: 'Deletes one dead job, or all of them.',
  scope: 'operator',
  cost: 1,
  input: Joi.object<DropDeadLetterInput, true>({
    id: Joi.string().max(64).required().description('id of a dead job, or all'),
  }),
  output: Joi.object<DropDeadLetterOutput, true>({ dropped: count('number of deleted dead jobs') }),
  async handle({ id }, { cluster, log }, { requestId, user }) {
    const dropped = await cluster.drop(id);
    log.info({ traceId: requestId, operator: user!.userId, id, dropped }, 'dead letters dropped');
    return { payload: { dropped } };
  },
});
