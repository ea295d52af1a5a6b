import Joi from 'joi';
import type { Middleware, ParameterizedContext } from 'koa';
import type { RevokedTokens } from '../../../storage/oauth/grant-tokens.js';
import type { AuditSource } from '../../../storage/users/audit-log.js';
import type { Deps, RequestState } from '../../context.js';
import { hostCheck } from '../../mcp/access/known-host.js';
import { clientName } from '../../../storage/users/client-name.js';
import { oauthError, type OauthErrorCode } from './oauth-error.js';
import { isFormBody, readFormBody } from '../../routes/form-body.js';
import { readJsonBody } from '../../routes/json-body.js';
import { AppError } from '../../../compute/model/errors.js';
import { readHostedClients } from '../../../storage/users/hosted-clients.js';
import { chargeAddress, chargeShared, chargeUnpriced } from '../../routes/charge.js';

/** Where a request of a client comes from, for the events of its user. */
export const auditSourceOf = ({ state, req }: ParameterizedContext<RequestState>): AuditSource => ({
  address: state.network,
  client: clientName(req.headers['user-agent']),
});

interface RevokeRequest {
  token: string;
  token_type_hint?: string;
  client_id: string;
}

/** What /revoke takes, as a form or as JSON (RFC 7009, 2.1). */
export const revokeRequest = Joi.object<RevokeRequest>({
  token: Joi.string()
    .required()
    .description('an access token, which ends alone, or a refresh token, which ends with its whole grant')
    .example('ort_REFRESH_TOKEN'),
  token_type_hint: Joi.string().description('kind of token; the token itself tells it'),
  client_id: Joi.string()
    .required()
    .description('id of the client, as in /authorize; a token of another client is left alone')
    .example('client_0123456789abcdefghijkl'),
});

/**
 * POST /revoke (RFC 7009): ends an access token, or a refresh token with its whole grant. Unknown tokens and those of another
 * client are answered with 200 as well, so that the answer reveals nothing about them.
 */
export function revokeEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  const limited = limitFailures(deps);
  return async (ctx) => {
    checkHost(ctx);
    await limited(ctx, async () => {
      const { token, client_id: clientId } = readRequest(revokeRequest, await readParameters(ctx));
      const revoked = await deps.storage.grantTokens.revoke(token, clientId);
      if (revoked) noteRevoked(revoked, deps, auditSourceOf(ctx));
      ctx.body = {};
      return revoked !== null;
    });
  };
}

/** Notes for the user that an app has ended its whole grant, or one access token. */
function noteRevoked(
  { grant: { userId, clientName: name }, isWholeGrant }: RevokedTokens,
  { audit }: Pick<Deps, 'audit'>,
  source: AuditSource,
): void {
  audit.note(isWholeGrant ? 'app_disconnected' : 'token_revoked', userId, source, { name, by: 'app' });
}

/**
 * The fields of a request, by the schema that also describes them in the OpenAPI document. Unknown ones are ignored
 * (RFC 6749, 3.2). Throws `invalid_request`, or the code that `codeOf` gives for the field, for the first fault.
 */
export function readRequest<Fields>(
  schema: Joi.ObjectSchema<Fields>,
  given: object,
  codeOf: (field: string) => OauthErrorCode = () => 'invalid_request',
): Fields {
  const checked = schema.validate(given, { convert: false, stripUnknown: true });
  if (!checked.error) return checked.value;
  const [{ type, path, message }] = checked.error.details;
  const field = String(path[0]);
  throw oauthError(codeOf(field), type === 'any.required' ? `"${path.join('.')}" is missing` : message);
}

/** Parameters by name. Unknown ones are ignored (RFC 6749, 3.2). */
export type OauthParameters = Readonly<Partial<Record<string, string>>>;

/**
 * The parameters in the body, which is a form (as in the RFCs) or a JSON object. Those of the query are not read. Empty ones count
 * as not sent. Throws `invalid_input` for a parameter that is sent twice or is no text, and the errors of unreadable bodies.
 */
export async function readParameters(ctx: ParameterizedContext): Promise<OauthParameters> {
  const body: object = isFormBody(ctx) ? await readFormBody(ctx) : await readJsonBody(ctx);
  const given = Object.entries(body).filter(([, value]) => value !== '' && value !== null);
  const wrong = given.find(([, value]) => typeof value !== 'string');
  if (wrong) throw oauthError('invalid_request', `"${wrong[0].slice(0, 60)}" must be a text`);
  return Object.fromEntries(given);
}

type Context = ParameterizedContext<RequestState>;

/**
 * Does the work of a request within the limit of failed requests of its network. `work` resolves with false if it has found
 * nothing: then the request counts as failed, even if the answer is a success. Throws `rate_limited`, and what `work` throws.
 */
type LimitFailures = (ctx: Context, work: () => Promise<boolean>) => Promise<void>;

/**
 * Limits how many requests of a network fail per minute, so that codes and tokens can't be guessed. A request is charged before
 * its body is read and gets the point back if it succeeds, or if its failure is not the client's fault. Every request also counts
 * among those without points, because a client could otherwise refresh its tokens without end. Hosted assistants, which serve
 * many users from few addresses, are charged to the points that they have at the connector instead.
 */
export function limitFailures(deps: Pick<Deps, 'settings' | 'limits'>): LimitFailures {
  const hostedClient = readHostedClients(deps.settings.MCP_HOSTED_CLIENTS);
  return async (ctx, work) => {
    const hosted = hostedClient(ctx.state.address);
    if (hosted !== null) {
      await chargeShared(ctx, deps, 'hosted', hosted, 1);
      await work();
      return;
    }
    const { network: key } = ctx.state;
    await chargeUnpriced(deps.limits, [{ bucket: 'unpriced', key }]).paid;
    await chargeAddress(ctx, deps, 'oauth', 1).paid;
    const refund = () => deps.limits.refund({ bucket: 'oauth', key }, 1);
    try {
      if (await work()) refund();
    } catch (error) {
      if (!(error instanceof AppError) || !['invalid', 'denied'].includes(error.kind)) refund();
      throw error;
    }
  };
}
