import type { ParameterizedContext } from 'koa';
import { EventStream } from '../answers/event-stream.js';
import { failureAnswer } from '../answers/failure-answer.js';
import { ProgressEvents } from '../answers/progress-events.js';
import type { Caller, Deps, RequestState } from '../context.js';
import type { OperationResult } from '../operation.js';
import { envelopeText } from './send-result.js';

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
