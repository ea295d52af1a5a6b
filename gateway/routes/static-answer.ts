import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

const pack = promisify(gzip);
const leastBytes = 1_024;

export interface StaticAnswerOptions {
  /** Content-Security-Policy; by default that of all answers, which allows nothing. */
  policy?: string;
  /** Default: a minute in every cache. */
  cacheControl?: string;
  /** The text as the build has compressed it. */
  packed?: () => Buffer;
}

interface StaticText {
  bytes: Buffer;
  headers: Record<string, string>;
  packed?: Promise<Buffer>;
}

/**
 * Answers with a text that stays the same while the process runs, with an ETag; 304 if the client has it already. A text
 * that is computed is computed once, and each is compressed once, for the first client that accepts gzip.
 */
export function staticText(
  type: string,
  text: string | (() => string),
  { policy, cacheControl = 'public, max-age=60', packed }: StaticAnswerOptions = {},
): Middleware<RequestState> {
  const security = policy === undefined ? undefined : { 'Content-Security-Policy': policy };
  const make = (): StaticText => {
    const bytes = Buffer.from(typeof text === 'string' ? text : text());
    const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    return { bytes, headers: { 'Cache-Control': cacheControl, ETag: `W/"${etag}"`, ...security } };
  };
  let made: StaticText | undefined;
  return async (ctx) => {
    made ??= make();
    const { bytes, headers } = made;
    ctx.status = 200;
    ctx.set(headers);
    ctx.type = type;
    if (bytes.length >= leastBytes) ctx.vary('Accept-Encoding');
    const takesGzip = bytes.length >= leastBytes && ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (ctx.fresh) {
      ctx.status = 304;
    } else if (takesGzip) {
      ctx.body = await (made.packed ??= packed
        ? Promise.resolve(packed())
        : pack(bytes, { level: constants.Z_BEST_COMPRESSION }));
      ctx.set('Content-Encoding', 'gzip');
    } else {
      ctx.body = bytes;
    }
  };
}

const framing = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page that runs scripts of this service and calls nothing. Scripts within the page do not run. */
export const readingPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; ${framing}`;

/** Answers with a page. */
export const staticPage = (
  text: string | (() => string),
  options: StaticAnswerOptions & { policy: string },
): Middleware<RequestState> => staticText('text/html', text, options);
