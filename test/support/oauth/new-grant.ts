import { createHash } from 'node:crypto';
import type { NewGrant } from '../../../storage/oauth/grants.js';

/** A verifier and the challenge that belongs to it (S256). */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const challenge = createHash('sha256').update(verifier).digest('base64url');

/** What a user consents to: every scope, for a client on this computer. */
export const newGrant = (given: Partial<NewGrant> = {}): NewGrant => ({
  userId: 'user-1',
  clientId: 'client_test',
  clientName: 'A client',
  redirectUri: 'http://127.0.0.1:7777/callback',
  redirectHost: '127.0.0.1:7777',
  scopes: ['read:portfolio', 'read:analysis', 'ask:assistant', 'write:strategies'],
  resource: 'http://localhost:3000/mcp',
  challenge,
  challengeMethod: 'S256',
  ...given,
});
