import { AuthorizationError } from './authorization-error.js';

export interface AnswerTarget {
  redirectUri: string;
  state: string | null;
  /** The URL of this service. It tells clients which authorization server has answered (RFC 9207). */
  issuer: string;
}

/** The address that sends the browser back to the client, with the answer added to the query of the redirect URI. */
export function clientAnswer(
  { redirectUri, state, issuer }: AnswerTarget,
  answer: { code: string } | AuthorizationError,
): string {
  const parameters = new URLSearchParams(
    answer instanceof AuthorizationError
      ? { error: answer.code, error_description: answer.message.replaceAll('"', "'") }
      : answer,
  );
  if (state !== null) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`;
}

/**
 * Sources of a Content-Security-Policy to which the answer to the form of consent may redirect. Chromium applies `form-action` to
 * every redirect that follows a form, also to the redirects of the client, which may lead to any https page. No source can name
 * an IPv6 address, so its scheme is the source instead.
 */
export function formTargets(redirectUri: string): string[] {
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  return [hostname.startsWith('[') ? 'http:' : origin, 'https:'];
}
