import type { Middleware } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import type { RequestState } from '../../context.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';
import { connectorUrl } from './connector-url.js';
import { hostCheck } from './known-host.js';
import { serviceUrl } from './service-url.js';

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
