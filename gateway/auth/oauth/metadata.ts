import Joi from 'joi';
import type { Middleware } from 'koa';
import type { Settings } from '../../../storage/process/settings.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';
import type { RequestState } from '../../context.js';
import { hostCheck } from '../../mcp/access/known-host.js';
import { serviceUrl } from '../../mcp/access/read-access.js';

/** The fields of RFC 8414, with those of RFC 9207 and of Client ID Metadata Documents. */
interface AuthorizationMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  revocation_endpoint: string;
  scopes_supported: string[];
  response_types_supported: string[];
  response_modes_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  code_challenge_methods_supported: string[];
  authorization_response_iss_parameter_supported: boolean;
  client_id_metadata_document_supported: boolean;
  service_documentation: string;
}

const url = (description: string, path: string) =>
  Joi.string().required().description(description).example(`https://tidemark.example${path}`);
const texts = (description: string, example: readonly string[]) =>
  Joi.array()
    .items(Joi.string())
    .required()
    .description(description)
    .example([...example], { override: true });
const yes = (description: string) => Joi.boolean().required().description(description).example(true);

/** The answer, as the OpenAPI document describes it. */
export const metadataSchema = Joi.object<AuthorizationMetadata, true>({
  issuer: url('URL of this service, which comes back as iss', ''),
  authorization_endpoint: url('where browsers are sent', '/authorize'),
  token_endpoint: url('where codes and refresh tokens are exchanged', '/token'),
  registration_endpoint: url('where clients get an id', '/register'),
  revocation_endpoint: url('where clients end tokens', '/revoke'),
  scopes_supported: texts('scopes that clients may ask for', tokenScopes),
  response_types_supported: texts('what /authorize answers with', ['code']),
  response_modes_supported: texts('how it answers', ['query']),
  grant_types_supported: texts('what /token exchanges', ['authorization_code', 'refresh_token']),
  token_endpoint_auth_methods_supported: texts('none: clients have no secret', ['none']),
  revocation_endpoint_auth_methods_supported: texts('none: clients have no secret', ['none']),
  code_challenge_methods_supported: texts('methods of PKCE', ['S256']),
  authorization_response_iss_parameter_supported: yes('whether answers of /authorize carry iss'),
  client_id_metadata_document_supported: yes('whether a client_id may be the address of a document'),
  service_documentation: url('pages for developers', '/docs'),
});

/** Tells clients the endpoints and what they support (RFC 8414). PKCE with `plain` is accepted, but not advertised. */
export function authorizationMetadata(settings: Settings): Middleware<RequestState> {
  const checkHost = hostCheck(settings);
  return (ctx) => {
    checkHost(ctx);
    const issuer = serviceUrl(settings, ctx);
    const metadata: AuthorizationMetadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      revocation_endpoint: `${issuer}/revoke`,
      scopes_supported: [...tokenScopes],
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
    ctx.body = metadata;
  };
}
