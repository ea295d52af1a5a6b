import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SignedIn, SignedInDirectory } from '../../storage/users/signed-in-directory.js';
import type { Scope } from '../operation.js';

/** Who is signed in with the request's session-token header; null if nobody is. */
export async function readSignedIn(
  ctx: ParameterizedContext,
  directory: SignedInDirectory,
): Promise<SignedIn | null> {
  const { 'session-token': token } = ctx.req.headers;
  // Node joins a header that was sent twice with a comma, which no token contains.
  return typeof token === 'string' ? directory.find(token) : null;
}

/** Throws `unauthorized`, always in the same words, or `forbidden` if the scope asks for more than this user may. */
export function checkScope(scope: Scope, user: SignedIn | null): void {
  if (scope === 'public') return;
  if (!user) throw new AppError('unauthorized', 'sign in first: a valid session-token header is needed');
  if (scope === 'operator' && !user.operator) throw new AppError('forbidden', 'this is for operators');
}
