import type { Middleware, ParameterizedContext } from 'koa';
import type { Caller, Deps, RequestState } from '../context.js';
import { requireSession } from '../auth/session.js';
import { success } from '../envelope.js';
import { readInput, type Operation } from '../operation.js';
import { readJsonBody } from './json-body.js';

/** The face of an operation as a route that takes a JSON body and answers in the envelope. */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  /** What of the input stands elsewhere than in the body. */
  besides: (ctx: ParameterizedContext) => Record<string, unknown> = () => ({}),
): Middleware<RequestState> {
  return async (ctx) => {
    const session = operation.scope === 'user' ? await requireSession(ctx, deps.storage.sessions) : null;
    const input = readInput(operation.input, { ...besides(ctx), ...(await readJsonBody(ctx)) });
    const caller: Caller = {
      requestId: ctx.state.requestId,
      session,
      signal: whileConnected(ctx),
      timings: {},
    };
    const { payload, ttl, etag } = await operation.handle(input, deps, caller);
    ctx.body = success(payload, ttl);
    ctx.set('Cache-Control', ttl === undefined ? 'no-store' : `private, max-age=${ttl}`);
    if (etag !== undefined) ctx.set('ETag', `"${etag}"`);
    if (Object.keys(caller.timings).length > 0) ctx.set('Server-Timing', serverTiming(caller.timings));
  };
}

/** Aborted when the client goes before its answer is out. */
function whileConnected({ res }: ParameterizedContext): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

const serverTiming = (timings: Caller['timings']) =>
  Object.entries(timings)
    .map(([stage, ms]) => `${stage};dur=${ms.toFixed(3)}`)
    .join(', ');
