import { hash, timingSafeEqual } from 'node:crypto';
import type { GrantCode } from '../../../../storage/oauth/grant-document.js';

/** RFC 7636, 4.1. */
const verifierForm = /^[\w.~-]{43,128}$/;

/** Whether a verifier is the one whose challenge the client sent when it asked for the code (RFC 7636, 4.6). */
export function matchesChallenge(
  verifier: string | undefined,
  { challenge, challengeMethod }: Pick<GrantCode, 'challenge' | 'challengeMethod'>,
): boolean {
  if (verifier === undefined || !verifierForm.test(verifier)) return false;
  const derived = challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return timingSafeEqual(digest(derived), digest(challenge));
}

/** Texts of any length become equally long, so that they can be compared in constant time. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
