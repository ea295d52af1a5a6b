import Joi from 'joi';
import { defineOperation } from '../../operation.js';

export interface EndedOutput {
  /** Sessions that have ended. */
  ended: number;
}

export const endedOutput = Joi.object<EndedOutput, true>({
  ended: Joi.number().integer().min(0).required().description('sessions that have ended'),
});

/** Ends the session with which it is asked. */
export const logout = defineOperation<object, EndedOutput>({
  id: 'logout',
  summary: 'Ends this session.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: endedOutput,
  async handle(_input, { storage }, { user }) {
    const { userId, sessionId } = user!;
    return { payload: { ended: (await storage.sessions.end(userId, sessionId)) ? 1 : 0 } };
  },
});
