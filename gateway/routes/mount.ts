import type { Middleware, ParameterizedContext } from 'koa';
import { successEnvelope } from '../answers/envelope.js';
import { readRestAccess, requireAllowed } from '../auth/rest-access.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation, OperationResult } from '../operation.js';
import { RequestCaller } from './caller.js';
import { inHandSlot } from './in-hand-slot.js';
import { chargeCaller, runCharged } from './charge.js';
import { inputReader, type ExtraInput } from './envelope-input.js';
import { prefersEventStream } from './prefers-event-stream.js';
import { sendResult, setServerTiming } from './send-result.js';
import { streamAnswer } from './stream-answer.js';

type SendAnswer<Output> = (ctx: ParameterizedContext<RequestState>, result: OperationResult<Output>) => void;

export interface MountOptions<Output> {
  extraInput?: ExtraInput | undefined;
  send?: SendAnswer<Output>;
}

/**
 * An operation as a route for requests with a session token or personal access token (or without one, for public operations)
 * that answers in the envelope; a long one answers with server-sent events if the client prefers them. `extraInput` reads input from elsewhere
 * than body and query, and `send` answers in another form than the envelope.
 */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  { extraInput, send = sendEnvelope }: MountOptions<Output> = {},
): Middleware<RequestState> {
  const readInput = inputReader(operation, deps, extraInput);
  return async (ctx) => {
    const access = await readRestAccess(ctx, deps);
    const { user, paid } = access;
    const slot = inHandSlot(ctx, deps);
    const caller = new RequestCaller(ctx, user, slot.leave);
    if (user) caller.scopes = access.scopes;
    if (access.csrf !== undefined) caller.csrf = access.csrf;
    caller.charge = (points) => chargeCaller(ctx, deps, user, points, 0).paid;
    const answer = () =>
      runCharged(
        chargeCaller(ctx, deps, user, operation.cost, paid),
        operation.isLight === true,
        async () => {
          requireAllowed(operation, ctx, access);
          const input = await readInput(ctx);
          return slot.hold(() => operation.handle(input, deps, caller));
        },
      );
    if (operation.isLong) {
      ctx.vary('Accept');
      if (prefersEventStream(ctx.req.headers.accept)) return streamAnswer(ctx, deps, caller, answer);
    }
    const result = await answer();
    send(ctx, result);
    setServerTiming(ctx, caller.timings);
  };
}

const sendEnvelope: SendAnswer<unknown> = (ctx, result) =>
  sendResult(ctx, result, successEnvelope(result.payload, result.ttl));
