import { createHash, randomBytes } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';

/** The header of a session in revisions up to 2025-11-25. */
export const sessionHeader = 'mcp-session-id';

/**
 * Starts a session. A session holds no state: its id distinguishes the calls of one client from those of others, so that a
 * cancellation finds its call. The id carries a mark of its user, so that the session of another user is refused. Knowing an
 * id gives no access.
 */
export function issueSession(ctx: ParameterizedContext, user: SignedIn | null): void {
  const random = randomBytes(16).toString('base64url');
  ctx.set(sessionHeader, `${random}.${ownerMark(random, user)}`);
}

/** Throws `unknown_session` for a session that was made for another user; one made before signing in stays valid. */
export function requireOwnSession(ctx: ParameterizedContext, user: SignedIn | null): void {
  const id = ctx.get(sessionHeader);
  if (id === '') return;
  const [random, mark] = id.slice(0, 200).split('.');
  if (mark === ownerMark(random, user) || mark === ownerMark(random, null)) return;
  throw new AppError('unknown_session', 'this session is not known: start a new one with initialize');
}

const ownerMark = (random: string, user: SignedIn | null): string =>
  createHash('sha256')
    .update(`${random}:${user?.userId ?? ''}`)
    .digest('base64url')
    .slice(0, 16);
