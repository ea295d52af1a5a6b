/** Headers of answers; the document describes each once and refers to it. */
export const answerHeaders = {
  'x-request-id': text("the request's own x-request-id, or a new one; also in the log"),
  'RateLimit-Limit': whole('points per minute of the caller'),
  'RateLimit-Remaining': whole('points left in this minute'),
  'RateLimit-Reset': whole('seconds until all points are available again'),
  'Retry-After': whole('seconds after which to retry'),
  'Cache-Control': text('how long the answer may be cached'),
  ETag: text('identifies the content, for If-None-Match'),
  'Server-Timing': text('time per stage, in ms'),
} as const;

function text(description: string) {
  return { description, schema: { type: 'string' } };
}

function whole(description: string) {
  return { description, schema: { type: 'integer', minimum: 0 } };
}

type Name = keyof typeof answerHeaders;
type Headers = Record<string, { $ref: string }>;

const limits: Name[] = ['x-request-id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** The headers that an answer with this status may have. */
export function headersOf(status: number, hasEtag = false): Headers {
  const isGood = status === 200 || status === 304;
  return referTo([
    ...limits,
    ...(isGood ? (['Cache-Control', 'Server-Timing'] as const) : []),
    ...(isGood && hasEtag ? (['ETag'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);
}

/** The headers of answers without a rate limit. */
export const serviceHeaders = (status: number, hasEtag: boolean): Headers =>
  referTo([
    'x-request-id',
    'Cache-Control',
    ...(hasEtag ? (['ETag'] as const) : []),
    ...(status === 503 ? (['Retry-After'] as const) : []),
  ]);

/** The headers of answers of OAuth, which no cache keeps. */
export const oauthHeaders = (status: number): Headers =>
  referTo([
    ...limits,
    'Cache-Control',
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);

const referTo = (names: readonly Name[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
