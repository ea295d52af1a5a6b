import Joi from 'joi';
import { clientKinds, type ClientKind } from '../../storage/sessions.js';
import { defineOperation } from '../operation.js';

export interface SessionsOutput {
  /** The latest first. Times are ISO 8601, UTC. */
  sessions: { client: ClientKind; created: string; expires: string; current: boolean }[];
}

const session = Joi.object<SessionsOutput['sessions'][number], true>({
  client: Joi.string()
    .valid(...clientKinds)
    .required(),
  created: Joi.string().isoDate().required(),
  expires: Joi.string().isoDate().required(),
  current: Joi.boolean().required().description('whether it is the one that asks'),
});

/** Where the user is signed in. */
export const listSessions = defineOperation<object, SessionsOutput>({
  id: 'list-sessions',
  summary: 'The sessions of the account that have not ended, the latest first.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<SessionsOutput, true>({ sessions: Joi.array().items(session).required() }),
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
