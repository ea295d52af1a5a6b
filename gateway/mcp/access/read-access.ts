import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { tokenKeyOf } from '../../../storage/users/personal-tokens.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { readSignedIn } from '../../auth/session.js';
import type { Deps, RequestState } from '../../context.js';
import { chargeLookup } from '../../routes/charge.js';
import type { McpAccess } from '../exchange.js';

type Context = ParameterizedContext<RequestState>;
type AccessDeps = Pick<Deps, 'signedIn' | 'tokens' | 'tokenNetworks' | 'limits'>;

/** The caller, and the points that their address has paid for the look-up. */
export interface FoundAccess extends McpAccess {
  paid: number;
}

const guest: FoundAccess = { user: null, scopes: new Set(), paid: 0 };

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/**
 * The caller by bearer token or session token; without a token, a guest. Throws `unauthorized` for a token that is invalid,
 * also where the call would need none: a client is to know that its access has ended.
 */
export async function readAccess(ctx: Context, deps: AccessDeps): Promise<FoundAccess> {
  const { authorization = [], 'session-token': sessions = [] } = ctx.req.headersDistinct;
  if (authorization.length + sessions.length === 0) return guest;
  if (authorization.length + sessions.length > 1) throw invalidToken('one token is expected, found several');
  return authorization.length === 1 ? byBearer(authorization[0], ctx, deps) : bySession(ctx, deps);
}

async function bySession(ctx: Context, { signedIn, limits }: AccessDeps): Promise<FoundAccess> {
  const { user, paid } = await readSignedIn(ctx, signedIn, () => chargeLookup(ctx, { limits }));
  if (!user) throw invalidToken('the session token is not valid');
  return { user, scopes: allScopes, paid };
}

/** As with sessions, a token that is not known here is charged before it is looked up. */
async function byBearer(
  header: string,
  ctx: Context,
  { tokens, tokenNetworks, limits }: AccessDeps,
): Promise<FoundAccess> {
  const [, secret = ''] = /^Bearer ([^\s,]+)$/i.exec(header) ?? [];
  const key = tokenKeyOf(secret);
  if (key === null) throw invalidToken('the bearer token is not valid');
  const refund = tokens.isPlausible(key) ? null : await chargeLookup(ctx, { limits });
  const found = await tokens.ofKey(key);
  if (!found) throw invalidToken('the bearer token is not valid');
  refund?.();
  tokenNetworks.see(key, ctx.state.network, ctx.req.headers['user-agent']);
  return { ...found, paid: 0 };
}

const invalidToken = (message: string) =>
  new AppError('unauthorized', `${message}: sign in again, or send no token for public tools`, {
    details: { challenge: 'invalid_token' },
  });
