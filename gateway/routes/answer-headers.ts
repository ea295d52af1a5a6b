import type { ParameterizedContext } from 'koa';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { Caller } from '../context.js';

/** How long an answer stays true and what identifies it, for caches on the way. */
export function setCacheHeaders(
  ctx: ParameterizedContext,
  ttl: number | undefined,
  etag: string | undefined,
): void {
  ctx.status = 200;
  ctx.set('Cache-Control', ttl === undefined ? 'no-store' : `private, max-age=${ttl}`);
  // Weak: the same content may be sent compressed or not. Another engine may make other content of the same candles.
  if (etag !== undefined) ctx.set('ETag', `W/"${engineVersion}-${etag}"`);
}

/** Where the time went, as browsers show it. */
export function setServerTiming(ctx: ParameterizedContext, timings: Caller['timings']): void {
  const stages = Object.entries(timings);
  if (stages.length === 0) return;
  ctx.set('Server-Timing', stages.map(([stage, ms]) => `${stage};dur=${ms.toFixed(3)}`).join(', '));
}
