import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';

/** Where clients read how to get a token (RFC 9728), below the URL of the service. */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp';

/** Tells clients in WWW-Authenticate how to get a token that is enough (RFC 6750, RFC 9728). */
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
