import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SessionRepository, Session } from '../../storage/sessions.js';

/** The session of the request's session-token header. Throws `unauthorized`, always in the same words. */
export async function requireSession(
  ctx: ParameterizedContext,
  sessions: SessionRepository,
): Promise<Session> {
  const { 'session-token': token } = ctx.req.headers;
  // Node joins a header that was sent twice with a comma, which no token contains.
  const session = typeof token === 'string' ? await sessions.find(token) : null;
  if (!session) throw new AppError('unauthorized', 'sign in first: a valid session-token header is needed');
  return session;
}
