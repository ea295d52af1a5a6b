import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

const pack = promisify(gzip);
const leastBytes = 1_024;

/** Compresses text from 1 kB on for clients that accept gzip. Streams, bytes and compressed bodies are not changed. */
export const compress = (): Middleware<RequestState> => async (ctx, next) => {
  await next();
  const text = textOf(ctx.body);
  if (text === null || ctx.res.hasHeader('Content-Encoding')) return;
  // Set as text, or Koa would stringify it again; the content type does not change.
  if (text !== ctx.body) ctx.body = text;
  if (text.length < leastBytes) return;
  ctx.vary('Accept-Encoding');
  if (ctx.req.headers['accept-encoding'] === undefined) return;
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await pack(text, { level: constants.Z_BEST_SPEED + 3 });
  ctx.set('Content-Encoding', 'gzip');
};

/** The body as the text that Koa would send; null for streams, bytes and empty bodies. */
function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const isData = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !('pipe' in body);
  return isData ? JSON.stringify(body) : null;
}
