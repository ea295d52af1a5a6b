import { createHmac, timingSafeEqual } from 'node:crypto';

/** The name of the form field that holds the token. */
export const csrfField = 'csrf';

/**
 * What a form must contain so that its POST counts as the user's own: only pages of this service know it. It follows from a secret
 * that the browser holds in a cookie, the session token or the browser key, so that every gateway can check it.
 */
export const csrfToken = (secret: string): string =>
  createHmac('sha256', secret).update('form of this browser').digest('base64url');

/** Whether a form's token belongs to the browser that holds the secret; compared in constant time. */
export function isCsrfToken(given: string | undefined, secret: string): boolean {
  const [sent, expected] = [Buffer.from(given ?? ''), Buffer.from(csrfToken(secret))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
