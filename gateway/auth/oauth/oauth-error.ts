import { AppError } from '../../../compute/model/errors.js';

/** Errors of the endpoints that clients call (RFC 6749, 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export type OauthErrorCode =
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type';

/** A request that is refused with that code. */
export const oauthError = (oauth: OauthErrorCode, message: string): AppError =>
  new AppError(oauth === 'invalid_client' ? 'unauthorized' : 'invalid_input', message, {
    details: { oauth },
  });
