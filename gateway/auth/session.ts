import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SignedIn, SignedInDirectory } from '../../storage/users/signed-in-directory.js';
import type { Scope } from '../operation.js';

/** The user of the request's session-token header; null without a valid session. */
export async function readSignedIn(
  ctx: ParameterizedContext,
  directory: SignedInDirectory,
): Promise<SignedIn | null> {
  const { 'session-token': token } = ctx.req.headers;
  // Node joins repeated headers with a comma, which no token contains.
  return typeof token === 'string' ? directory.find(token) : null;
}

/** Throws `unauthorized` without a session, and `forbidden` if the scope needs an operator and the user is none. */
export function checkScope(scope: Scope, user: SignedIn | null): void {
  if (scope === 'public') return;
  if (!user) throw new AppError('unauthorized', 'sign in first: a valid session-token header is needed');
  if (scope === 'operator' && !user.operator) throw new AppError('forbidden', 'this is for operators');
}
