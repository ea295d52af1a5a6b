import type { Route } from '../routes/route.js';

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

/** The ways in which requests authenticate. */
export const securitySchemes = {
  pageCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'The session of a page of this service (/sign-in), for its own pages alone. Each request but GET and HEAD also holds the header csrf-token, which GET /backend/session gives. Over https the name is __Host-session.',
  },
  sessionToken: inHeader(
    'session-token',
    'The token of POST /backend/login; valid for 7 days, for mobile clients 30.',
  ),
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pat_ and 64 hexadecimal digits',
    description: 'A personal access token (POST /backend/tokens) with the scope that the operation names.',
  },
  signature: inHeader(
    'x-signature',
    'Lower-case hex of HMAC-SHA256(secret, timestamp + "\\n" + METHOD + "\\n" + path and query as sent + "\\n" + body).',
  ),
  timestamp: inHeader('x-timestamp', 'The signed Unix time in seconds (or ms); at most 300 s off.'),
  partnerKey: inHeader('svc-api-key', 'The key of a partner.'),
  partnerSecret: inHeader(
    'svc-api-secret',
    'The secret of that key, as it was shown when the key was made. An operator may require a signature with it instead.',
  ),
  apiKey: inHeader('svc-api-key', 'Selects the secret; without it all valid secrets are tried.'),
} as const;

/** The ways in which a route accepts authentication. Public routes list tokens, too, because they change the rate limit. */
export function securityOf({ surface, operation }: Route): Record<string, string[]>[] {
  if (surface === 'signed') {
    return [
      { signature: [], timestamp: [] },
      { signature: [], timestamp: [], apiKey: [] },
    ];
  }
  if (surface === 'partner') {
    return [
      { partnerKey: [], partnerSecret: [] },
      { partnerKey: [], signature: [], timestamp: [] },
    ];
  }
  const { scope, tokenScope } = operation;
  if (scope === 'public') return [{}, { sessionToken: [] }, { pageCookie: [] }, { personalToken: [] }];
  return [
    { sessionToken: [] },
    { pageCookie: [] },
    ...(tokenScope === undefined ? [] : [{ personalToken: [tokenScope] }]),
  ];
}
