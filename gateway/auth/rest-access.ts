import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import { tokenScopes, type TokenScope } from '../../storage/users/token-scopes.js';
import type { RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { chargeLookup } from '../routes/charge.js';
import { findBearer, invalidToken, type BearerDeps } from './bearer.js';
import { checkScope, readSignedIn } from './session.js';

type Context = ParameterizedContext<RequestState>;

/** The caller of a request, and the points that their address has paid for the look-up. */
export interface RestAccess {
  user: SignedIn | null;
  scopes: ReadonlySet<TokenScope>;
  paid: number;
}

const noScopes: ReadonlySet<TokenScope> = new Set();

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/** Credentials for a proxy in front of the service; browsers send them with every request. */
const forProxy = /^Basic /i;

/**
 * The caller by session token or personal access token; a guest without a valid session. Throws `unauthorized` for an invalid
 * personal token, the token of an app, and two tokens at once.
 */
export async function readRestAccess(ctx: Context, deps: BearerDeps): Promise<RestAccess> {
  const { authorization = '' } = ctx.req.headers;
  if (authorization !== '' && !forProxy.test(authorization)) return byBearer(authorization, ctx, deps);
  const { user, paid } = await readSignedIn(ctx, deps.signedIn, () => chargeLookup(ctx, deps));
  return { user, scopes: user ? allScopes : noScopes, paid };
}

async function byBearer(header: string, ctx: Context, deps: BearerDeps): Promise<RestAccess> {
  const { authorization = [], 'session-token': sessions = [] } = ctx.req.headersDistinct;
  try {
    if (authorization.length + sessions.length > 1)
      throw invalidToken('one token is expected, found several');
    const { user, scopes, resource } = await findBearer(header, ctx, deps);
    // Users have allowed apps to use the connector alone (RFC 8707).
    if (resource !== null)
      throw invalidToken('tokens of apps are for /mcp, here a personal access token is expected');
    return { user, scopes, paid: 0 };
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') challenge(ctx, 'invalid_token');
    throw error;
  }
}

/**
 * Throws `unauthorized` without a user, and `forbidden` if the operation is not for this user or the token does not allow it.
 * The message says which scope is missing.
 */
export function requireAllowed(
  { id, ...operation }: Pick<Operation<unknown, unknown>, 'id' | 'scope' | 'needsVerified' | 'tokenScope'>,
  ctx: Context,
  { user, scopes }: Pick<RestAccess, 'user' | 'scopes'>,
): void {
  if (user?.sessionId === '' && operation.scope !== 'public') {
    const { tokenScope } = operation;
    if (tokenScope === undefined)
      throw new AppError('forbidden', `no token allows ${id}: a session is needed (POST /backend/login)`);
    if (!scopes.has(tokenScope)) {
      challenge(ctx, 'insufficient_scope', tokenScope);
      const found = [...scopes].join(', ');
      throw new AppError(
        'forbidden',
        `the token does not allow this: ${tokenScope} is needed, it has ${found}`,
      );
    }
  }
  checkScope(operation, user);
}

/** Says in WWW-Authenticate what is wrong with a token (RFC 6750). */
function challenge(ctx: Context, error: string, scope?: TokenScope): void {
  ctx.set('WWW-Authenticate', `Bearer error="${error}"${scope === undefined ? '' : `, scope="${scope}"`}`);
}
