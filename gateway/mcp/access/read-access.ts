import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { readSignedIn } from '../../auth/session.js';
import type { Deps, RequestState } from '../../context.js';
import { chargeLookup } from '../../routes/charge.js';
import { tokenScopes, type TokenScope } from '../catalogue.js';
import type { McpAccess } from '../exchange.js';

type Context = ParameterizedContext<RequestState>;

/** The caller, and the points that their address has paid for the look-up. */
export interface FoundAccess extends McpAccess {
  paid: number;
}

const guest: FoundAccess = { user: null, scopes: new Set(), paid: 0 };

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/**
 * The caller by session token; without a token, a guest. Throws `unauthorized` for a token that is invalid, also where the
 * call would need none: a client is to know that its sign-in has ended.
 */
export async function readAccess(ctx: Context, { signedIn, limits }: Deps): Promise<FoundAccess> {
  const { authorization, 'session-token': session } = ctx.req.headers;
  if (authorization !== undefined) throw invalidToken('the bearer token is not valid');
  if (session === undefined) return guest;
  const { user, paid } = await readSignedIn(ctx, signedIn, () => chargeLookup(ctx, { limits }));
  if (!user) throw invalidToken('the session token is not valid');
  return { user, scopes: allScopes, paid };
}

const invalidToken = (message: string) =>
  new AppError('unauthorized', `${message}: sign in again, or send no token for public tools`, {
    details: { challenge: 'invalid_token' },
  });
