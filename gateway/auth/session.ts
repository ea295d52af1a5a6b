import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { sessionIdOf } from '../../storage/users/sessions.js';
import type { Storage } from '../../storage/index.js';
import type { SignedIn, SignedInDirectory } from '../../storage/users/signed-in-directory.js';
import type { Operation } from '../operation.js';

/** The user of a session, and the points that the look-up has cost the address of the caller. */
export interface FoundSession {
  user: SignedIn | null;
  paid: number;
}

/** Charges the address of the caller one point and returns a function that gives it back. Throws `rate_limited`. */
export type ChargeLookup = () => Promise<() => void>;

/** Calls `findSession` with the session-token header. Cookies are not read here: `/v1`, `/v2`, `/v3` and `/mcp` take none. */
export const readSignedIn = (
  ctx: ParameterizedContext,
  directory: SignedInDirectory,
  chargeLookup: ChargeLookup,
): Promise<FoundSession> => findSession(ctx.req.headers['session-token'], directory, chargeLookup);

/**
 * The user of a session token; null without a valid session. A token that this gateway does not know is charged before it is
 * looked up, so that made-up tokens meet the rate limit before MongoDB. A valid one costs nothing.
 */
export async function findSession(
  token: string | string[] | undefined,
  directory: SignedInDirectory,
  chargeLookup: ChargeLookup,
): Promise<FoundSession> {
  // Node joins repeated headers with a comma, which no token contains.
  const id = typeof token === 'string' ? sessionIdOf(token) : null;
  if (id === null) return { user: null, paid: 0 };
  if (directory.isPlausible(id)) return { user: await directory.ofSession(id), paid: 0 };
  const refund = await chargeLookup();
  const user = await directory.ofSession(id);
  if (user) refund();
  return { user, paid: user ? 0 : 1 };
}

/**
 * Throws `unauthorized` without a session, and `forbidden` if the operation is for operators or for confirmed e-mails and the user
 * or the user's e-mail is not such a one.
 */
export function checkScope(
  { scope, needsVerified }: Pick<Operation<unknown, unknown>, 'scope' | 'needsVerified'>,
  user: SignedIn | null,
): void {
  if (scope === 'public') return;
  if (!user) throw new AppError('unauthorized', 'sign in first: a valid session-token header is needed');
  if (scope === 'operator' && !user.operator) throw new AppError('forbidden', 'this is for operators');
  if (needsVerified && !user.isVerified) throw unconfirmed();
}

/**
 * Undoes what a request has made, and throws `unauthorized`, if its session has ended meanwhile: by a reset of the password, a removal of
 * the account or the owner who has got it back. All that was there by then has ended, too. Call it after the write.
 */
export async function keepIfSignedIn(
  { sessions }: Pick<Storage, 'sessions'>,
  { sessionId }: Pick<SignedIn, 'sessionId'>,
  undo: () => Promise<unknown>,
): Promise<void> {
  if ((await sessions.find(sessionId)) !== null) return;
  await undo();
  throw new AppError('unauthorized', 'you have just been signed out: nothing was changed');
}

/** The error for what an account may not do before the owner of its e-mail has confirmed it. */
export const unconfirmed = (): AppError =>
  new AppError(
    'forbidden',
    'confirm your e-mail first: open the link in the mail that was sent to you (/verify)',
  );
