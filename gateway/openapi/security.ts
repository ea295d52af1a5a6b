import type { Route } from '../routes/route.js';

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** How requests prove who sends them. */
export const securitySchemes = {
  sessionToken: inHeader(
    'session-token',
    'The token of POST /backend/login; 7 days, 30 from a mobile client.',
  ),
  signature: inHeader(
    'x-signature',
    'Lower-case hex of HMAC-SHA256(secret, timestamp + "\\n" + METHOD + "\\n" + path and query as sent + "\\n" + body).',
  ),
  timestamp: inHeader('x-timestamp', 'Unix time in seconds (or ms) that is signed; at most 300 s off.'),
  apiKey: inHeader('svc-api-key', 'Selects the secret; without it every secret in force is tried.'),
} as const;

/** The ways to prove it that a route takes. A session is told of where it is not needed: it changes the rate limit. */
export function securityOf({ surface, operation }: Route): Record<string, []>[] {
  if (surface === 'signed') {
    return [
      { signature: [], timestamp: [] },
      { signature: [], timestamp: [], apiKey: [] },
    ];
  }
  return operation.scope === 'public' ? [{}, { sessionToken: [] }] : [{ sessionToken: [] }];
}
