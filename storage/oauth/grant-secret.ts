import { createHmac, hash, randomBytes } from 'node:crypto';

/** What a client is given in turn: a code, and for it an access token and a refresh token. */
export type GrantSecretKind = 'code' | 'access' | 'refresh';

/** The prefix tells the kinds apart, and all of them from session tokens and personal access tokens. */
const prefixes: Record<GrantSecretKind, string> = { code: 'oac_', access: 'oat_', refresh: 'ort_' };

/** 256 random bits in base64url. */
const secretForm = /^[A-Za-z0-9_-]{43}$/;

/** A new secret of 256 random bits. */
export const newGrantSecret = (kind: GrantSecretKind): string =>
  prefixes[kind] + randomBytes(32).toString('base64url');

/** The SHA-256 under which a secret is stored; null for a text that is no secret of the kind. */
export function grantKeyOf(kind: GrantSecretKind, secret: string): string | null {
  const isOfKind = secret.startsWith(prefixes[kind]) && secretForm.test(secret.slice(prefixes[kind].length));
  return isOfKind ? hash('sha256', secret, 'base64url') : null;
}

/**
 * The token that follows a refresh token: the same for the same nonce, so that a repeated request gets the same answer
 * although no secret is stored. It is HMAC-SHA256, with the presented token as key, of kind and nonce.
 */
export const successorOf = (kind: 'access' | 'refresh', presented: string, nonce: string): string =>
  prefixes[kind] + createHmac('sha256', presented).update(`${kind}:${nonce}`).digest('base64url');
