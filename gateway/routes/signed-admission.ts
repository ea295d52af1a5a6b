import type { ParameterizedContext, Middleware } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { readApiSecrets } from '../../storage/users/api-secrets.js';
import { readTrustedAgents, type TrustedAgent } from '../../storage/users/hosted-clients.js';
import { clockFault, verifySignature } from '../auth/signature.js';
import type { Deps, RequestState } from '../context.js';
import { chargeAddress, runCharged } from './charge.js';
import type { IncomingMessage } from 'node:http';
import type { Operation } from '../operation.js';
import { understoodInput } from '../understood-input.js';
import { RequestCaller } from './caller.js';
import { inHandSlot } from './in-hand-slot.js';
import { readRawBody } from './json-body.js';
import { roundFigures } from '../../compute/model/round-figures.js';
import { sendResult, setServerTiming } from './send-result.js';
import { readSignedParameters } from './signed-input.js';

/** The documented form of User-Agent headers of assistants: a browser's name, their own, a page about them. */
const browser = 'Mozilla/5\\.0 AppleWebKit/537\\.36 \\(KHTML, like Gecko\\)?; compatible; ';
const page = '; \\+https://[\\w./-]{1,100}';
const longest = 300;

/**
 * Tests whether a request comes from a trusted agent: from an address of the agent, with exactly one User-Agent header that
 * equals the agent's name, case-sensitive: `Name`, `Name/1.0`, or either of them in the form
 * `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; Name/1.0; +https://example.com/bot`.
 */
export function trustedAgentTest(
  agents: readonly TrustedAgent[],
): (request: IncomingMessage, address: string) => boolean {
  const patterns = agents.map(({ name, from }) => ({ pattern: patternOf(name), from }));
  return ({ headersDistinct }, address) => {
    const [userAgent = '', ...more] = headersDistinct['user-agent'] ?? [];
    if (more.length > 0 || userAgent.length > longest) return false;
    return patterns.some(({ pattern, from }) => pattern.test(userAgent) && from(address));
  };
}

function patternOf(name: string): RegExp {
  const token = `${name.replaceAll('.', '\\.')}(?:/\\d{1,4}(?:\\.\\d{1,4}){0,3})?`;
  return new RegExp(`^(?:${token}|${browser}${token}(?:${page})?\\)?)$`);
}

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
