import Joi from 'joi';
import { clientKinds, shownSessionId, type ClientKind } from '../../../storage/users/sessions.js';
import { defineOperation } from '../../operation.js';
import { date, flag, list, oneOf, text } from '../output-fields.js';

export interface ListSessionsOutput {
  /** The latest first. Times are ISO 8601, UTC. */
  sessions: { id: string; client: ClientKind; created: string; expires: string; current: boolean }[];
}

const session = Joi.object<ListSessionsOutput['sessions'][number], true>({
  id: text('id by which the session can be ended; it gives no access'),
  client: oneOf(clientKinds, 'kind of client that opened it'),
  created: date('when it was opened'),
  expires: date('when it expires'),
  current: flag('whether it is the session of this request'),
});

/** The user's open sessions. */
export const listSessions = defineOperation<object, ListSessionsOutput>({
  id: 'list-sessions',
  summary: 'The open sessions of the account, the latest first.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<ListSessionsOutput, true>({ sessions: list(session, 'the latest first') }),
  leadsTo: [{ to: 'end-session', fields: { id: 'payload/sessions/0/id' } }],
  async handle(_input, { storage }, { user }) {
    const { userId, sessionId } = user!;
    const sessions = (await storage.sessions.ofUser(userId)).map(({ id, client, createdAt, expiresAt }) => ({
      id: shownSessionId(id),
      client,
      created: createdAt.toISOString(),
      expires: expiresAt.toISOString(),
      current: id === sessionId,
    }));
    return { payload: { sessions } };
  },
});
