import type { Middleware } from 'koa';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { understoodInput } from '../understood-input.js';
import { RequestCaller } from './caller.js';
import { inHandSlot } from './in-hand-slot.js';
import { chargeAddress, runCharged } from './charge.js';
import { readRawBody } from './json-body.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import { sendResult, setServerTiming } from './send-result.js';
import { signedAdmission } from './signed-admission.js';
import { readSignedParameters } from './signed-input.js';

/**
 * An operation as a route for signed requests, limited by address, that answers without an envelope. Parameters are read
 * from the query and, for POST, from a JSON body.
 */
export function mountSigned<Input, Output extends object>(
  operation: Operation<Input, Output>,
  deps: Deps,
): Middleware<RequestState> {
  const admit = signedAdmission(deps);
  return async (ctx) => {
    // Here the limit counts requests, not the operation's points.
    const charged = chargeAddress(ctx, deps, 'signed', 1);
    const slot = inHandSlot(ctx, deps);
    const caller = new RequestCaller(ctx, null, slot.leave);
    const result = await runCharged(charged, operation.isLight === true, async () => {
      const body = await readRawBody(ctx);
      await admit(ctx, body);
      const input = await understoodInput(operation.input, await readSignedParameters(ctx, body), deps);
      return slot.hold(() => operation.handle(input, deps, caller));
    });
    sendResult(ctx, result, ({ payload }) => JSON.stringify(roundFigures(payload)));
    setServerTiming(ctx, caller.timings);
  };
}
