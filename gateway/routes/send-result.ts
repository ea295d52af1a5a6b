import type { ParameterizedContext } from 'koa';
import { engineVersion } from '../../compute/model/engine-version.js';
import { successEnvelope } from '../answers/envelope.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import type { Caller, Deps, RequestState } from '../context.js';
import type { OperationResult } from '../operation.js';
import { EventStream, ProgressEvents } from '../answers/event-stream.js';
import { failureAnswer } from '../answers/failure-answer.js';

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
function envelopeText(result: OperationResult<unknown>): string {
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

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would otherwise keep events back until its buffer is full.
  'X-Accel-Buffering': 'no',
};

/**
 * Answers with server-sent events: `progress` while `work` goes on, for questions also `token` and `tool`, then one `result` or
 * `error` with the status and body of the plain answer. Throws the error of work that fails before its first event, such as a
 * bad input or a full queue: then the answer has its usual status.
 */
export async function streamAnswer(
  ctx: ParameterizedContext<RequestState>,
  { log }: Pick<Deps, 'log'>,
  caller: Caller,
  work: () => Promise<OperationResult<unknown>>,
): Promise<void> {
  const stream = new EventStream(ctx.res);
  const progress = new ProgressEvents(stream);
  caller.onProgress = (each) => {
    if (!stream.isOpen) takeOver(ctx);
    progress.report(each);
  };
  caller.onEvent = ({ name, data }) => {
    if (!stream.isOpen) takeOver(ctx);
    progress.begin();
    stream.event(name, data);
  };
  try {
    const result = await work();
    if (!stream.isOpen) takeOver(ctx);
    progress.complete();
    stream.end('result', `{"status":200,"body":${envelopeText(result)}}`);
  } catch (error) {
    if (!stream.isOpen) throw error;
    const { status, retryAfterSeconds, body } = failureAnswer(error, ctx, log);
    const retry = retryAfterSeconds === null ? {} : { retryAfterSeconds };
    stream.end('error', { status, ...retry, body });
  } finally {
    progress.close();
  }
}

/** Sets status and headers, and takes the response over from Koa, which would send a body only as a whole or from a pipe. */
export function takeOver(ctx: ParameterizedContext): void {
  ctx.status = 200;
  ctx.set(streamHeaders);
  ctx.respond = false;
}
