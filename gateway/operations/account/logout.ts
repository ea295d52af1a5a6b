import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { count } from '../output-fields.js';

export interface EndedSessionsOutput {
  /** Number of sessions ended by the request. */
  ended: number;
}

export const endedSessionsOutput = Joi.object<EndedSessionsOutput, true>({
  ended: count('number of sessions ended by this request'),
});

/** Ends the session of the request. It costs nothing, so that a user without points left can sign out; it succeeds once. */
export const logout = defineOperation<object, EndedSessionsOutput>({
  id: 'logout',
  summary: 'Ends this session.',
  scope: 'user',
  cost: 0,
  input: Joi.object({}),
  output: endedSessionsOutput,
  async handle(_input, { storage, audit }, caller) {
    const { userId, sessionId } = caller.user!;
    const hasEnded = await storage.sessions.end(userId, sessionId);
    if (hasEnded) audit.note('session_ended', userId, caller, { count: 1 });
    return { payload: { ended: hasEnded ? 1 : 0 } };
  },
});
