import { hash, randomBytes } from 'node:crypto';

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new token for the link in a mail. Only the mail holds it. */
export const newLinkToken = (): string => randomBytes(32).toString('base64url');

/** The SHA-256 under which the token of a link is stored; null for a text that is no token. */
export const linkHashOf = (token: string): string | null =>
  tokenPattern.test(token) ? hash('sha256', token, 'base64url') : null;
