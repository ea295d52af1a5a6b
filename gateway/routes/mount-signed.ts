import type { ParameterizedContext, Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { readApiSecrets } from '../../storage/users/api-secrets.js';
import { readTrustedAgents } from '../../storage/users/hosted-clients.js';
import { clockFault, verifySignature } from '../auth/signature.js';
import { trustedAgentTest } from '../auth/trusted-agent.js';
import type { Deps, RequestState } from '../context.js';
import { chargeAddress, runCharged } from './charge.js';
import type { Operation } from '../operation.js';
import { understoodInput } from '../understood-input.js';
import { RequestCaller, inHandSlot } from './caller.js';
import { readRawBody } from './json-body.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import { sendResult, setServerTiming } from './send-result.js';
import { readSignedParameters } from './signed-input.js';

type Context = ParameterizedContext<RequestState>;

const signatureNeeded = 'a valid signature is needed: headers x-timestamp and x-signature';

/**
 * Admits requests with a valid signature, and requests of trusted agents without any signature, which have a limit of their
 * own. The returned function throws `unauthorized` for all others, and `rate_limited`.
 */
function signedAdmission(deps: Deps): (ctx: Context, body: Buffer) => Promise<void> {
  const secrets = readApiSecrets(deps.settings.AI_API_SECRETS);
  const isTrusted = trustedAgentTest(readTrustedAgents(deps.settings.AI_TRUSTED_USER_AGENTS));
  return async (ctx, body) => {
    const { method, originalUrl: target, headers } = ctx;
    const isSigned = headers['x-signature'] !== undefined;
    if (!isSigned && isTrusted(ctx.req, ctx.state.address)) {
      await chargeAddress(ctx, deps, 'agent', 1).paid;
      return deps.metrics?.accessDecided('agent');
    }
    const nowMs = Date.now();
    const isValid = verifySignature({ method, target, body, headers }, secrets, nowMs);
    deps.metrics?.accessDecided(isValid ? 'signature' : 'refused');
    if (isValid) return;
    const fault = isSigned ? clockFault(headers['x-timestamp'], nowMs) : null;
    throw new AppError('unauthorized', fault ?? signatureNeeded);
  };
}

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
