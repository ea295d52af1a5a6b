import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { readApiSecrets } from '../../storage/users/api-secrets.js';
import { readTrustedAgents } from '../../storage/users/hosted-clients.js';
import { clockFault, verifySignature } from '../auth/signature.js';
import { trustedAgentTest } from '../auth/trusted-agent.js';
import type { Deps, RequestState } from '../context.js';
import { chargeAddress } from './charge.js';

type Context = ParameterizedContext<RequestState>;

const signatureNeeded = 'a valid signature is needed: headers x-timestamp and x-signature';

/**
 * Admits requests with a valid signature, and requests of trusted agents without any signature, which have a limit of their
 * own. The returned function throws `unauthorized` for all others, and `rate_limited`.
 */
export function signedAdmission(deps: Deps): (ctx: Context, body: Buffer) => Promise<void> {
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
