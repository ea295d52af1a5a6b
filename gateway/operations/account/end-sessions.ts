import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { endedSessionsOutput, type EndedSessionsOutput } from './logout.js';

export interface EndSessionsInput {
  keepThis: boolean;
}

/** Ends all sessions of the user, or all but the current one. */
export const endSessions = defineOperation<EndSessionsInput, EndedSessionsOutput>({
  id: 'end-sessions',
  summary: 'Ends all sessions of the account, or all but the current one.',
  scope: 'user',
  cost: 1,
  input: Joi.object<EndSessionsInput, true>({
    keepThis: Joi.boolean().default(false).description('whether the current session stays open'),
  }),
  output: endedSessionsOutput,
  async handle({ keepThis }, { storage, audit }, caller) {
    const { userId, sessionId } = caller.user!;
    const ended = await storage.sessions.endAll(userId, keepThis ? sessionId : undefined);
    if (ended > 0) audit.note('session_ended', userId, caller, { count: ended });
    return { payload: { ended } };
  },
});
