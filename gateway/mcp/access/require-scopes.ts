import { AppError } from '../../../compute/model/errors.js';
import type { TokenScope } from '../../../storage/users/token-scopes.js';
import type { McpAccess } from '../exchange.js';
import type { Tool } from '../tool.js';

/** Throws `unauthorized` without a token and `forbidden` with one that does not allow what the called tools need. */
export function requireScopes(called: readonly Tool[], { user, scopes }: McpAccess): void {
  const needed = called
    .map(({ listing }) => listing.scope)
    .filter((scope): scope is TokenScope => scope !== 'public');
  const lacking = [...new Set(needed)].filter((scope) => !scopes.has(scope));
  if (lacking.length === 0) return;
  const details = { scope: lacking.join(' ') };
  if (!user) {
    const message = 'sign in first: this tool reads an account';
    throw new AppError('unauthorized', message, { details: { ...details, challenge: '' } });
  }
  const message = `the token does not allow this: ${lacking.join(' and ')} is needed`;
  throw new AppError('forbidden', message, { details: { ...details, challenge: 'insufficient_scope' } });
}
