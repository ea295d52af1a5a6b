import type { Grant } from '../../../../storage/oauth/grant-document.js';
import { oauthError } from '../oauth-error.js';
import { optionalParameter, type OauthParameters } from '../read-parameters.js';

/** Throws `invalid_target` if the request names another service than the one that the grant is for (RFC 8707). */
export function checkTarget(given: OauthParameters, { resource }: Pick<Grant, 'resource'>): void {
  const asked = optionalParameter(given, 'resource');
  if (asked === null || asked === resource) return;
  const isSame =
    !asked.includes('#') && URL.canParse(asked) && new URL(asked).href === new URL(resource).href;
  if (!isSame) throw oauthError('invalid_target', `"resource" must be ${resource}`);
}
