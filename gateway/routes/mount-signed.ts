import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { readApiSecrets } from '../../storage/users/api-secrets.js';
import { readTrustedAgents } from '../../storage/users/trusted-agents.js';
import { verifySignature } from '../auth/signature.js';
import { trustedAgentTest } from '../auth/trusted-agent.js';
import type { Deps, RequestState } from '../context.js';
import { readInput, type Operation } from '../operation.js';
import { setCacheHeaders, setServerTiming } from './answer-headers.js';
import { callerOf, chargeAddress, runCharged } from './caller.js';
import { parseJsonBody, readRawBody } from './json-body.js';
import { readQuery } from './query.js';

type Context = ParameterizedContext<RequestState>;

/**
 * The surface of an operation as a route of surface D: limited by address, signed, answered without an envelope. Parameters
 * stand in the query or, for POST, in a JSON body.
 */
export function mountSigned<Input, Output extends object>(
  operation: Operation<Input, Output>,
  deps: Deps,
): Middleware<RequestState> {
  const admit = admission(deps);
  return async (ctx) => {
    // The limit counts requests, whatever an operation costs elsewhere.
    const charged = chargeAddress(ctx, deps, 'signed', 1);
    const caller = callerOf(ctx, null);
    const { payload, ttl, etag } = await runCharged(charged, operation.isLight === true, async () => {
      const body = await readRawBody(ctx);
      await admit(ctx, body);
      const input = readInput(operation.input, await parametersOf(ctx, body));
      return operation.handle(input, deps, caller);
    });
    setCacheHeaders(ctx, ttl, etag);
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = payload;
    setServerTiming(ctx, caller.timings);
  };
}

/** Lets signed requests in, and, within a limit of their own, those of trusted agents that carry no signature. */
function admission(deps: Deps): (ctx: Context, body: Buffer) => Promise<void> {
  const secrets = readApiSecrets(deps.settings.AI_API_SECRETS);
  const isTrusted = trustedAgentTest(readTrustedAgents(deps.settings.AI_TRUSTED_USER_AGENTS));
  return async (ctx, body) => {
    const { method, originalUrl: target, headers } = ctx;
    const isSigned = headers['x-signature'] !== undefined;
    if (!isSigned && isTrusted(ctx.req, ctx.state.address)) {
      await chargeAddress(ctx, deps, 'agent', 1);
      return deps.metrics?.accessDecided('agent');
    }
    const isValid = verifySignature({ method, target, body, headers }, secrets, Date.now());
    deps.metrics?.accessDecided(isValid ? 'signature' : 'refused');
    if (!isValid)
      throw new AppError('unauthorized', 'a valid signature is needed: headers x-timestamp and x-signature');
  };
}

/** The parameters of the query and of the body. Throws `invalid_input` for one that is different in both. */
async function parametersOf(ctx: Context, body: Buffer): Promise<object> {
  const query = readQuery(ctx.querystring);
  if (body.length === 0) return query;
  if (ctx.method !== 'POST')
    throw new AppError('invalid_body', `${ctx.method} takes its parameters in the query, and no body`);
  const fields = (await parseJsonBody(ctx, body)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(fields, name) && fields[name] !== value)
      throw new AppError('invalid_input', `"${name.slice(0, 60)}" differs between the query and the body`, {
        details: { field: name, unknown: true },
      });
  }
  return { ...query, ...fields };
}
