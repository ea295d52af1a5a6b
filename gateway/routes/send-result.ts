import type { ParameterizedContext } from 'koa';
import { engineVersion } from '../../compute/model/engine-version.js';
import { successEnvelope } from '../answers/envelope.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import type { Caller } from '../context.js';
import type { OperationResult } from '../operation.js';

/** Sends a result with its cache headers, in the envelope if nothing else is said; 304 without a body if the client has this content already. */
export function sendResult(
  ctx: ParameterizedContext,
  result: OperationResult<unknown>,
  textOf: (result: OperationResult<unknown>) => string = envelopeText,
): void {
  const { ttl, etag } = result;
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
  ctx.body = textOf(result);
}

/** The envelope of a result as JSON. */
export function envelopeText(result: OperationResult<unknown>): string {
  const { text, ttl } = result;
  // Reading the payload would parse it.
  return text === undefined
    ? JSON.stringify(roundFigures(successEnvelope(result.payload, ttl)))
    : JSON.stringify(successEnvelope(null, ttl)).replace('null', () => text);
}

/** Sets the header Server-Timing, from which browsers show the time of each stage. */
export function setServerTiming(ctx: ParameterizedContext, timings: Caller['timings']): void {
  const stages = Object.entries(timings);
  if (stages.length === 0) return;
  ctx.set('Server-Timing', stages.map(([stage, ms]) => `${stage};dur=${ms.toFixed(3)}`).join(', '));
}
