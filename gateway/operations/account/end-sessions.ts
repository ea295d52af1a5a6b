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
  async handle({ keepThis }, { storage }, { user }) {
    const { userId, sessionId } = user!;
    const ended = await storage.sessions.endAll(userId, keepThis ? sessionId : undefined);
    return { payload: { ended } };
  },
});
