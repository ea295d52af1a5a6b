import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';

/** Answers with the same text as long as the process lives; who has it already is told so. */
export function fixedAnswer(type: string, text: string): Middleware<RequestState> {
  const etag = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return (ctx) => {
    ctx.status = 200;
    ctx.set('Cache-Control', 'public, max-age=60');
    ctx.set('ETag', `W/"${etag}"`);
    ctx.type = type;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = text;
  };
}

/** A page without scripts, and nothing from elsewhere. */
const policyOfPages =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers with the same page as long as the process lives. */
export function page(text: string): Middleware<RequestState> {
  const answer = fixedAnswer('text/html', text);
  return async (ctx, next) => {
    ctx.set('Content-Security-Policy', policyOfPages);
    await answer(ctx, next);
  };
}
