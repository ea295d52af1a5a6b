import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { shownSessionId } from '../../../storage/users/sessions.js';
import { defineOperation } from '../../operation.js';
import { endedSessionsOutput, type EndedSessionsOutput } from './logout.js';

/** Ends one session of the user by the id that the list of sessions shows. */
export const endSession = defineOperation<{ id: string }, EndedSessionsOutput>({
  id: 'end-session',
  summary: 'Ends one session of the account.',
  scope: 'user',
  cost: 0,
  input: Joi.object<{ id: string }, true>({
    id: Joi.string().max(100).required().description('id of the session').example('0123456789abcdef01234567'),
  }),
  output: endedSessionsOutput,
  errors: ['unknown_session'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const session = (await storage.sessions.ofUser(userId)).find((each) => shownSessionId(each.id) === id);
    const hasEnded = session !== undefined && (await storage.sessions.end(userId, session.id));
    if (!hasEnded)
      throw new AppError('unknown_session', `you have no session "${id}"`, { details: { field: 'id' } });
    audit.note('session_ended', userId, caller, { count: 1 });
    return { payload: { ended: 1 } };
  },
});
