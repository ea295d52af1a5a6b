/** Errors of an authorization request that the client is told of (RFC 6749, 4.1.2.1, and RFC 8707). */
export type AuthorizationErrorCode =
  | 'access_denied'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_response_type';

/** The refusal of a request whose client and redirect URI are valid: the browser is sent back to the client with it. */
export class AuthorizationError extends Error {
  override name = 'AuthorizationError';
  readonly code: AuthorizationErrorCode;

  constructor(code: AuthorizationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
