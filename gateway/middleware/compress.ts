import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

const pack = promisify(gzip);
const leastBytes = 1_024;

/** Compresses text of more than 1 kB for those who take gzip. Streams and what is packed already pass as they are. */
export const compress = (): Middleware<RequestState> => async (ctx, next) => {
  await next();
  const text = textOf(ctx.body);
  if (text === null || ctx.res.hasHeader('Content-Encoding')) return;
  // As text, or Koa would write it a second time; it is still of the type it was.
  ctx.body = text;
  if (text.length < leastBytes) return;
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  ctx.body = await pack(text, { level: constants.Z_BEST_SPEED + 3 });
  ctx.set('Content-Encoding', 'gzip');
};

/** What Koa would send as text; null for streams, bytes and nothing. */
function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  const isData = typeof body === 'object' && body !== null && !Buffer.isBuffer(body) && !('pipe' in body);
  return isData ? JSON.stringify(body) : null;
}
