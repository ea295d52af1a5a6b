import type { AppError, ErrorKind } from '../../compute/model/errors.js';

/** Where clients of OAuth get their tokens; errors there have the form of RFC 6749, 5.2. */
const oauthPaths: ReadonlySet<string> = new Set([
  '/token',
  '/register',
  '/revoke',
  '/.well-known/oauth-authorization-server',
]);

export const isOauthPath = (path: string): boolean => oauthPaths.has(path);

const codeByKind: Partial<Record<ErrorKind, string>> = {
  denied: 'invalid_client',
  limited: 'temporarily_unavailable',
  busy: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  timeout: 'temporarily_unavailable',
  bug: 'server_error',
};

/** The body of an error. Messages of bugs are not shown. */
export function oauthFailure({ kind, message, details }: AppError): object {
  const code = kind === 'bug' ? undefined : details.oauth;
  return {
    error: code ?? codeByKind[kind] ?? 'invalid_request',
    error_description: kind === 'bug' ? 'unexpected error' : describable(message),
  };
}

/** The characters that RFC 6749 allows in a description. */
const describable = (message: string): string =>
  message
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, '?');
