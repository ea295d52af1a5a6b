import type { Middleware } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';
import type { RequestState } from '../../context.js';
import { hostCheck } from '../../mcp/access/known-host.js';
import { serviceUrl } from '../../mcp/access/service-url.js';

/** Where clients find the endpoints and what they take (RFC 8414). PKCE with `plain` is taken, too, and not advertised. */
export function authorizationMetadata(settings: Settings): Middleware<RequestState> {
  const checkHost = hostCheck(settings);
  return (ctx) => {
    checkHost(ctx);
    const issuer = serviceUrl(settings, ctx);
    ctx.body = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      scopes_supported: tokenScopes,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: `${issuer}/docs`,
    };
  };
}
