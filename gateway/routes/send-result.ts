import type { ParameterizedContext } from 'koa';
import { engineVersion } from '../../compute/model/engine-version.js';
import { roundFigures } from '../answers/round-figures.js';
import type { Caller } from '../context.js';
import type { OperationResult } from '../operation.js';

/** Sends a body, its figures rounded, with the cache headers of its result; 304 without a body if the client has this content already. */
export function sendResult(
  ctx: ParameterizedContext,
  { ttl, etag }: Pick<OperationResult<unknown>, 'ttl' | 'etag'>,
  body: object,
): void {
  ctx.status = 200;
  ctx.set('Cache-Control', ttl === undefined ? 'no-store' : `private, max-age=${ttl}`);
  // Weak, because the content may be compressed. Another engine version may compute other content from the same candles.
  if (etag !== undefined) {
    ctx.set('ETag', `W/"${engineVersion}-${etag}"`);
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
  }
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(roundFigures(body));
}

/** Sets the header Server-Timing, from which browsers show the time of each stage. */
export function setServerTiming(ctx: ParameterizedContext, timings: Caller['timings']): void {
  const stages = Object.entries(timings);
  if (stages.length === 0) return;
  ctx.set('Server-Timing', stages.map(([stage, ms]) => `${stage};dur=${ms.toFixed(3)}`).join(', '));
}
