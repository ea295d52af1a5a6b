import type { Middleware, ParameterizedContext } from 'koa';
import { readHostedClients } from '../../../../storage/users/hosted-clients.js';
import { registrationKey } from '../../../../storage/users/login-keys.js';
import type { Deps, RequestState } from '../../../context.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { chargeAddress, chargeShared } from '../../../routes/charge.js';
import { readJsonBody } from '../../../routes/json-body.js';
import { auditSourceOf } from '../revoke-endpoint.js';
import { registrationAnswer } from './registration-answer.js';
import { readRegistration } from './registration.js';

/**
 * POST /register (RFC 7591): gives a client an id, with which it may use its redirect URIs. A request costs its address a point,
 * and a network may register 20 clients an hour; hosted assistants, which register one for each user, have their own points.
 */
export function registerEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  const hostedClient = readHostedClients(deps.settings.MCP_HOSTED_CLIENTS);
  return async (ctx) => {
    checkHost(ctx);
    const hosted = hostedClient(ctx.state.address);
    await payFor(ctx, deps, hosted);
    const registration = readRegistration(await readJsonBody(ctx));
    if (hosted === null) await deps.registrations.count(registrationKey(ctx.state.address));
    const client = await deps.storage.oauthClients.add(registration);
    deps.audit.note('client_registered', null, auditSourceOf(ctx), { name: client.name });
    ctx.status = 201;
    ctx.body = registrationAnswer(client);
  };
}

const payFor = (
  ctx: ParameterizedContext<RequestState>,
  deps: Pick<Deps, 'limits'>,
  hosted: string | null,
): Promise<void> =>
  hosted === null ? chargeAddress(ctx, deps, 'guest', 1).paid : chargeShared(ctx, deps, 'hosted', hosted, 1);
