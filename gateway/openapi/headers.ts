/** Headers of answers, as the document describes them once and refers to them. */
export const answerHeaders = {
  'x-request-id': text("the request's own x-request-id, or a new one; also in the log"),
  'RateLimit-Limit': whole('points a minute of who asks'),
  'RateLimit-Remaining': whole('points left of them'),
  'RateLimit-Reset': whole('seconds until all are there again'),
  'Retry-After': whole('seconds after which to ask again'),
  'Cache-Control': text('how long the answer stays true'),
  ETag: text('identifies the content, where it may be asked for again'),
  'Server-Timing': text('where the time went, in ms'),
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

/** The headers an answer of the status may carry. */
export function headersOf(status: number, hasEtag = false): Headers {
  const isGood = status === 200 || status === 304;
  return referTo([
    ...limits,
    ...(isGood ? (['Cache-Control', 'Server-Timing'] as const) : []),
    ...(isGood && hasEtag ? (['ETag'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]);
}

/** Of answers that take nothing off a limit. */
export const serviceHeaders = (hasEtag: boolean): Headers =>
  referTo(['x-request-id', 'Cache-Control', ...(hasEtag ? (['ETag'] as const) : [])]);

const referTo = (names: readonly Name[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
