import type { ParameterizedContext, Middleware } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { AppError } from '../../../compute/model/errors.js';
import { tokenScopes, type TokenScope } from '../../../storage/users/token-scopes.js';
import { findBearer, invalidToken } from '../../auth/rest-access.js';
import { readSignedIn } from '../../auth/session.js';
import type { Deps, RequestState } from '../../context.js';
import { chargeLookup } from '../../routes/charge.js';
import type { McpAccess } from '../exchange.js';
import { hostCheck } from './known-host.js';

/** The URL of the service as this client reaches it: PUBLIC_URL, else by the Host that has been checked to be ours. */
export const serviceUrl = (
  { PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>,
  { req }: Pick<ParameterizedContext, 'req'>,
): string =>
  PUBLIC_URL === '' ? `http://${req.headers.host ?? 'localhost'}` : PUBLIC_URL.replace(/\/$/, '');

/** The path under which clients read how to get a token (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Tells clients in WWW-Authenticate how to get a token with the needed scopes (RFC 6750, RFC 9728). */
export function setChallenge(ctx: ParameterizedContext, error: unknown, publicUrl: string): void {
  if (!(error instanceof AppError)) return;
  const { challenge, scope = tokenScopes.join(' ') } = error.details;
  if (challenge === undefined) return;
  const parts = [
    ...(challenge === '' ? [] : [`error="${challenge}"`]),
    `resource_metadata="${publicUrl}${resourceMetadataPath}"`,
    `scope="${scope}"`,
  ];
  ctx.set('WWW-Authenticate', `Bearer ${parts.join(', ')}`);
}

/** The URL of the connector as this client reaches it: what access tokens of apps are for (RFC 8707). */
export const connectorUrl = (
  settings: Pick<Settings, 'PUBLIC_URL'>,
  ctx: Pick<ParameterizedContext, 'req'>,
): string => `${serviceUrl(settings, ctx)}/mcp`;

/** What the connector protects and how a token is sent to it (RFC 9728). */
export function resourceMetadata(settings: Settings): Middleware<RequestState> {
  const checkHost = hostCheck(settings);
  return (ctx) => {
    checkHost(ctx);
    const url = serviceUrl(settings, ctx);
    ctx.body = {
      resource: connectorUrl(settings, ctx),
      authorization_servers: [url],
      scopes_supported: tokenScopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Tidemark',
      resource_documentation: `${url}/docs`,
    };
  };
}

type Context = ParameterizedContext<RequestState>;
type AccessDeps = Pick<Deps, 'settings' | 'signedIn' | 'tokenNetworks' | 'limits'>;

/** The caller, and the points that their address has paid for the look-up. */
export interface FoundAccess extends McpAccess {
  paid: number;
}

const guest: FoundAccess = { user: null, scopes: new Set(), paid: 0 };

/** A session is the user's own: it has every scope. */
const allScopes: ReadonlySet<TokenScope> = new Set(tokenScopes);

/**
 * The caller by bearer token (a personal one, or of a connected app) or session token; without a token, a guest. Throws
 * `unauthorized` for an invalid token even if the called tools are public, so that the client learns that its access has
 * ended.
 */
export async function readAccess(ctx: Context, deps: AccessDeps): Promise<FoundAccess> {
  // Addresses are logged on their way (RFC 6750, section 2.3).
  if (new URLSearchParams(ctx.querystring).has('access_token'))
    throw invalidToken('a token is expected in the header Authorization, found one in the query');
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

async function byBearer(header: string, ctx: Context, deps: AccessDeps): Promise<FoundAccess> {
  const { user, scopes, resource } = await findBearer(header, ctx, deps);
  // A token for another service must not work here (RFC 8707).
  if (resource !== null && resource !== connectorUrl(deps.settings, ctx))
    throw invalidToken('the bearer token is for another service');
  return { user, scopes, paid: 0 };
}
