import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { bearerCredential } from '../../storage/users/credential.js';
import type { TokenUser } from '../../storage/users/signed-in-directory.js';
import type { Deps, RequestState } from '../context.js';
import { chargeLookup } from '../routes/charge.js';

/** What finding the user of a bearer token needs. */
export type BearerDeps = Pick<Deps, 'signedIn' | 'tokenNetworks' | 'limits'>;

/**
 * The user of the token in an Authorization header: a personal one, or of a connected app. As with sessions, the look-up of a token
 * that this gateway does not know is charged first, malformed ones included. Throws `unauthorized` for a token that is malformed, unknown, expired or revoked.
 */
export async function findBearer(
  header: string,
  ctx: ParameterizedContext<RequestState>,
  { signedIn, tokenNetworks, limits }: BearerDeps,
): Promise<TokenUser> {
  const [, secret = ''] = /^Bearer ([^\s,]+)$/i.exec(header) ?? [];
  const credential = bearerCredential(secret);
  const isKnown = credential !== null && signedIn.isPlausible(credential.key);
  const refund = isKnown ? null : await chargeLookup(ctx, { limits });
  const found = credential && (await signedIn.ofCredential(credential));
  if (!found) throw invalidToken('the bearer token is not valid');
  refund?.();
  if (credential.kind === 'personal')
    tokenNetworks.see(credential.key, ctx.state.network, ctx.req.headers['user-agent']);
  return found;
}

/** The error for a token that does not work here, also where none is needed: the client learns that its access has ended. */
export const invalidToken = (message: string): AppError =>
  new AppError('unauthorized', `${message}: sign in again, or send no token for what is public`, {
    details: { challenge: 'invalid_token' },
  });
