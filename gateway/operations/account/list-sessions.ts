import Joi from 'joi';
import { clientKinds, type ClientKind } from '../../../storage/users/sessions.js';
import { defineOperation } from '../../operation.js';
import { date, flag, list, oneOf } from '../output-fields.js';

export interface SessionsOutput {
  /** The latest first. Times are ISO 8601, UTC. */
  sessions: { client: ClientKind; created: string; expires: string; current: boolean }[];
}

const session = Joi.object<SessionsOutput['sessions'][number], true>({
  client: oneOf(clientKinds, 'where it was opened'),
  created: date('when it was opened'),
  expires: date('when it ends by itself'),
  current: flag('whether it is the one that asks'),
});

/** Where the user is signed in. */
export const listSessions = defineOperation<object, SessionsOutput>({
  id: 'list-sessions',
  summary: 'The sessions of the account that have not ended, the latest first.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<SessionsOutput, true>({ sessions: list(session, 'the latest first') }),
  async handle(_input, { storage }, { user }) {
    const { userId, sessionId } = user!;
    const sessions = (await storage.sessions.ofUser(userId)).map(({ id, client, createdAt, expiresAt }) => ({
      client,
      created: createdAt.toISOString(),
      expires: expiresAt.toISOString(),
      current: id === sessionId,
    }));
    return { payload: { sessions } };
  },
});
