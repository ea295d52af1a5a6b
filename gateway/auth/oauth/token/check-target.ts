import type { Grant } from '../../../../storage/oauth/grant-document.js';
import { oauthError } from '../oauth-error.js';
import type { TokenRequest } from './token-request.js';

/** Throws `invalid_target` if the request names another service than the one that the grant is for (RFC 8707). */
export function checkTarget(
  { resource: asked }: Pick<TokenRequest, 'resource'>,
  { resource }: Pick<Grant, 'resource'>,
): void {
  if (asked === undefined || asked === resource) return;
  const isSame =
    !asked.includes('#') && URL.canParse(asked) && new URL(asked).href === new URL(resource).href;
  if (!isSame) throw oauthError('invalid_target', `"resource" must be ${resource}`);
}
