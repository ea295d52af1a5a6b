import { field } from '../../../compute/model/field.js';
import { version } from '../../../storage/process/version.js';
import { plans, type User } from '../../../storage/users/users.js';
import { describedOperation } from '../analysis/described-operation.js';
import Joi from 'joi';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import {
  clientKinds,
  sessionIdOf,
  shownSessionId,
  type ClientKind,
} from '../../../storage/users/sessions.js';
import type { Storage } from '../../../storage/index.js';
import {
  count,
  objectField,
  oneOf,
  text,
  date,
  flag,
  list,
  type ValueOf,
  answerOf,
} from '../output-fields.js';
import { defineOperation } from '../../operation.js';

export const endedSessionsOutput = answerOf({
  ended: count('number of sessions ended by this request'),
});

export const endSessions = defineOperation({
  id: 'end-sessions',
  summary: 'Ends all sessions of the account, or all but the current one.',
  scope: 'user',
  input: Joi.object<{ keepThis: boolean }, true>({
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

export const endSession = defineOperation({
  id: 'end-session',
  summary: 'Ends one session of the account.',
  scope: 'user',
  cost: 0,
  input: objectSchema({
    id: field.text('id of the session', { maxLength: 100, example: '0123456789abcdef01234567' }),
  }),
  output: endedSessionsOutput,
  errors: ['unknown_session'],
  async handle({ id }, { storage, audit }, caller) {
    const { userId } = caller.user!;
    const session = (await storage.sessions.ofUser(userId)).find((each) => shownSessionId(each.id) === id);
    const hasEnded = session !== undefined && (await storage.sessions.end(userId, session.id));
    if (!hasEnded) throw fieldError('id', `you have no session "${id}"`, 'unknown_session');
    audit.note('session_ended', userId, caller, { count: 1 });
    return { payload: { ended: 1 } };
  },
});

const session = answerOf({
  id: text('id by which the session can be ended; it gives no access'),
  client: oneOf(clientKinds, 'kind of client that opened it'),
  created: date('when it was opened'),
  expires: date('when it expires'),
  current: flag('whether it is the session of this request'),
});
const sessionsOutput = answerOf({ sessions: list(session, 'the latest first') });
export type ListSessionsOutput = ValueOf<typeof sessionsOutput>;

export const listSessions = defineOperation({
  id: 'list-sessions',
  summary: 'The open sessions of the account, the latest first.',
  scope: 'user',
  output: sessionsOutput,
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

/** What every way of signing in answers. */
export type LoginOutput = ValueOf<typeof loginOutput>;

export const loginOutput = answerOf({
  token: text('session token, for the header session-token'),
  user: objectField(
    {
      userid: text('id of the account; it never changes'),
      email: text('e-mail of the account'),
      subscriptionplan: oneOf(plans, 'plan, which sets the rate limit'),
    },
    'the signed-in user',
  ),
});

export const platformInput = Joi.string()
  .valid(...clientKinds)
  .default('web')
  .description('kind of client: sessions of ios and android last 30 days, others 7');

/**
 * Opens a session for a user whose credentials have been checked. Throws `unauthorized` if the password has changed since
 * the user was read: a session must not outlive the password that opened it.
 */
export async function openSession(user: User, platform: ClientKind, storage: Storage): Promise<LoginOutput> {
  const { id, email, plan, passwordHash } = user;
  const token = await storage.sessions.open(id, platform);
  const current = await storage.users.byId(id);
  if (current?.passwordHash !== passwordHash) {
    await storage.sessions.end(id, sessionIdOf(token)!);
    throw new AppError('unauthorized', 'the password has just changed; sign in again');
  }
  return { token, user: { userid: id, email, subscriptionplan: plan } };
}

const output = {
  user: field.nullable(
    field.object('who is signed in; null: nobody', {
      email: field.text('e-mail of the account'),
      plan: field.choice('plan', plans),
      isVerified: field.flag('whether the e-mail is known to be yours'),
      isOperator: field.flag('whether this session may see and control the cluster'),
    }),
  ),
  partner: field.nullable(
    field.object('the partner that the user acts for; null: none', { name: field.text('its name') }),
  ),
  csrf: field.nullable(
    field.text(
      'what the header csrf-token holds in each request but GET and HEAD; null unless the cookie of the pages has signed the browser in',
    ),
  ),
  service: field.object('the service', {
    market: field.text('where prices come from; demo: a made-up market'),
    liveTrading: field.flag('whether orders are placed on real exchanges'),
    signUp: field.flag('whether accounts can be made here'),
    version: field.text('version'),
  }),
};

export const getSession = describedOperation({
  id: 'get-session',
  summary:
    'Who is signed in here, for which partner they act, what a browser sends to write, and what this service offers.',
  cost: 0,
  isLight: true,
  output,
  async handle(_input, { settings, storage }, { user, csrf = null }) {
    const partner = user && (await storage.partners.ofMember(user.userId));
    return {
      payload: {
        user: user && {
          email: user.email,
          plan: user.plan,
          isVerified: user.isVerified,
          isOperator: user.operator,
        },
        partner: partner && { name: partner.name },
        csrf,
        service: {
          market: settings.MARKET,
          liveTrading: settings.LIVE_TRADING === 'on',
          signUp: settings.SIGN_UP === 'on',
          version,
        },
      },
    };
  },
});
