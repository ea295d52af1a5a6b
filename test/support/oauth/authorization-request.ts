import { hash, randomBytes } from 'node:crypto';

/** A verifier and its challenge by S256 (RFC 7636). */
export function newChallenge(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
}

const usual: Record<string, string> = {
  response_type: 'code',
  client_id: 'my-cli',
  redirect_uri: 'http://127.0.0.1:4711/callback',
  code_challenge: newChallenge().challenge,
  code_challenge_method: 'S256',
  state: 'the state',
  scope: 'read:portfolio read:analysis',
};

/** The path of a good authorization request with other parameters; undefined leaves one out. */
export function authorizationPath(more: Record<string, string | undefined> = {}): string {
  const given = Object.entries({ ...usual, ...more }).filter(([, value]) => value !== undefined);
  return `/authorize?${new URLSearchParams(given as [string, string][]).toString()}`;
}
