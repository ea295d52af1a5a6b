import Joi from 'joi';
import { endAccess } from '../../../storage/users/end-access.js';
import { defineOperation } from '../../operation.js';
import { endedOutput, type EndedOutput } from './logout.js';

export interface EndSessionsInput {
  keepThis: boolean;
}

/** Ends every session of the user, or every other. */
export const endSessions = defineOperation<EndSessionsInput, EndedOutput>({
  id: 'end-sessions',
  summary: 'Ends all sessions of the account, or all but this one.',
  scope: 'user',
  cost: 1,
  input: Joi.object<EndSessionsInput, true>({
    keepThis: Joi.boolean().default(false).description('whether this session goes on'),
  }),
  output: endedOutput,
  async handle({ keepThis }, { storage }, { user }) {
    const { userId, sessionId } = user!;
    return { payload: { ended: await endAccess(storage, userId, keepThis ? sessionId : undefined) } };
  },
});
