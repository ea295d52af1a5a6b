import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { SignedIn, TokenUser } from '../../storage/users/signed-in-directory.js';
import { tokenScopes, type TokenScope } from '../../storage/users/token-scopes.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { chargeLookup } from '../routes/charge.js';
import { csrfToken, isCsrfToken } from '../web/site/csrf-token.js';
import { checkSameOrigin } from '../web/site/same-origin.js';
import { readCookie } from '../web/site/cookies.js';
import { sessionCookie } from '../web/site/page-caller.js';
import { checkScope, findSession, readSignedIn } from './session.js';
import { bearerCredential } from '../../storage/users/credential.js';

/** What finding the user of a bearer token needs. */
type BearerDeps = Pick<Deps, 'signedIn' | 'tokenNetworks' | 'limits'>;

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

type Context = ParameterizedContext<RequestState>;
type RestDeps = BearerDeps & Pick<Deps, 'settings'>;

/** The caller of a request, and the points that their address has paid for the look-up. */
export interface RestAccess {
  user: SignedIn | null;
  scopes: ReadonlySet<TokenScope>;
  paid: number;
  /** What a browser that its cookie has signed in sends with each request that writes; absent for other callers. */
  csrf?: string;
}

const noScopes: ReadonlySet<TokenScope> = new Set();

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/** Credentials for a proxy in front of the service; browsers send them with every request. */
const forProxy = /^Basic /i;

/**
 * The caller by session token, personal access token or the cookie of a page; a guest without a valid session. Throws `unauthorized`
 * for an invalid personal token, the token of an app, and two tokens at once, and `forbidden` as `byCookie` does.
 */
export async function readRestAccess(ctx: Context, deps: RestDeps): Promise<RestAccess> {
  const { authorization = '' } = ctx.req.headers;
  if (authorization !== '' && !forProxy.test(authorization)) return byBearer(authorization, ctx, deps);
  const cookie =
    ctx.req.headers['session-token'] === undefined ? readCookie(ctx, sessionCookie, deps.settings) : null;
  if (cookie !== null) return byCookie(cookie, ctx, deps);
  const { user, paid } = await readSignedIn(ctx, deps.signedIn, () => chargeLookup(ctx, deps));
  return { user, scopes: user ? allScopes : noScopes, paid };
}

/**
 * The caller by the cookie that holds the session of a page. Reads are taken from pages of this service alone; over plain http
 * browsers do not say where a request comes from, and other origins can't read the answer. Throws `forbidden` for a write that another site
 * sends, or that lacks the token which only pages of this service can read.
 */
async function byCookie(cookie: string, ctx: Context, deps: RestDeps): Promise<RestAccess> {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const { 'sec-fetch-site': sites = ['same-origin'], 'csrf-token': sent = [] } = ctx.req.headersDistinct;
  if (!isRead) checkSameOrigin(ctx, deps.settings, 'request');
  else if (sites.length > 1 || sites[0] !== 'same-origin') return { user: null, scopes: noScopes, paid: 0 };
  ctx.vary('Cookie');
  const { user, paid } = await findSession(cookie, deps.signedIn, () => chargeLookup(ctx, deps));
  if (!user) return { user, scopes: noScopes, paid };
  if (!isRead && !isCsrfToken(sent.join(', '), cookie))
    throw new AppError(
      'forbidden',
      'the header "csrf-token" must be the "csrf" of GET /backend/session, since a cookie has signed this request in',
    );
  return { user, scopes: allScopes, paid, csrf: csrfToken(cookie) };
}

async function byBearer(header: string, ctx: Context, deps: RestDeps): Promise<RestAccess> {
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
