import type { ParameterizedContext } from 'koa';
import { AppError } from '../../../compute/model/errors.js';
import { tokenScopes } from '../../../storage/users/token-scopes.js';

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
