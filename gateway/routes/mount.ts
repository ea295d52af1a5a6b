import type { Middleware } from 'koa';
import { successEnvelope } from '../answers/envelope.js';
import { checkScope, readSignedIn } from '../auth/session.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { callerOf } from './caller.js';
import { chargeCaller, chargeLookup, runCharged } from './charge.js';
import { inputReader, type ExtraInput } from './envelope-input.js';
import { inHandSlot } from './in-hand-slot.js';
import { sendResult, setServerTiming } from './send-result.js';

/**
 * An operation as a route for requests with a session token (or without one, for public operations) that answers in the
 * envelope. `extraInput` reads input from elsewhere than body and query.
 */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  extraInput?: ExtraInput,
): Middleware<RequestState> {
  const readInput = inputReader(operation, extraInput);
  return async (ctx) => {
    const { user, paid } = await readSignedIn(ctx, deps.signedIn, () => chargeLookup(ctx, deps));
    const slot = inHandSlot(ctx, deps);
    const caller = callerOf(ctx, user, slot.leave);
    const charged = chargeCaller(ctx, deps, user, operation.cost - paid);
    const result = await runCharged(charged, operation.isLight === true, async () => {
      checkScope(operation.scope, user);
      const input = await readInput(ctx);
      return slot.hold(() => operation.handle(input, deps, caller));
    });
    sendResult(ctx, result, successEnvelope(result.payload, result.ttl));
    setServerTiming(ctx, caller.timings);
  };
}
