import type { Middleware } from 'koa';
import { successEnvelope } from '../answers/envelope.js';
import { checkScope, readSignedIn } from '../auth/session.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { callerOf } from './caller.js';
import { chargeCaller, runCharged } from './charge.js';
import { inputReader, type ExtraInput } from './envelope-input.js';
import { prefersEventStream } from './prefers-event-stream.js';
import { sendResult, setServerTiming } from './send-result.js';
import { streamAnswer } from './stream-answer.js';

/**
 * An operation as a route for requests with a session token (or without one, for public operations) that answers in the
 * envelope; a long one answers with server-sent events if the client prefers them. `extraInput` reads input from elsewhere
 * than body and query.
 */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  extraInput?: ExtraInput,
): Middleware<RequestState> {
  const readInput = inputReader(operation, extraInput);
  return async (ctx) => {
    const user = await readSignedIn(ctx, deps.signedIn);
    const caller = callerOf(ctx, user);
    const answer = () =>
      runCharged(chargeCaller(ctx, deps, user, operation.cost), operation.isLight === true, async () => {
        checkScope(operation.scope, user);
        return operation.handle(await readInput(ctx), deps, caller);
      });
    if (operation.isLong) {
      ctx.vary('Accept');
      if (prefersEventStream(ctx.req.headers.accept)) return streamAnswer(ctx, deps, caller, answer);
    }
    const result = await answer();
    sendResult(ctx, result, successEnvelope(result.payload, result.ttl));
    setServerTiming(ctx, caller.timings);
  };
}
