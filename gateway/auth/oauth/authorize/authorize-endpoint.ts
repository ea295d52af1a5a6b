import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../../../compute/model/errors.js';
import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import type { Deps, RequestState } from '../../../context.js';
import { connectorUrl } from '../../../mcp/access/connector-url.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { serviceUrl } from '../../../mcp/access/service-url.js';
import { giveBrowserKey } from '../../../web/site/browser-key.js';
import { readPageCaller } from '../../../web/site/page-caller.js';
import { seeOther } from '../../../web/site/send-page.js';
import { findClient, type FoundClient } from '../clients/find-client.js';
import { AuthorizationError } from './authorization-error.js';
import { checkRequest, requestState } from './check-request.js';
import { clientAnswer } from './client-answer.js';
import { RequestParameters } from './request-parameters.js';
import { sendConsent } from './send-consent.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Begins an authorization: checks what a client asks for and shows its user the page that asks for consent. The browser is sent
 * nowhere before client and redirect URI are known to be valid. After that, every fault is reported to the client.
 */
export function authorizeEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  return async (ctx) => {
    ctx.state.isPage = true;
    checkHost(ctx);
    const caller = await readPageCaller(ctx, deps);
    await caller.pay(1);
    const given = new RequestParameters(ctx.querystring);
    const client = await clientOf(given, ctx, deps);
    const issuer = serviceUrl(deps.settings, ctx);
    try {
      const asked = askedBy(client, given, connectorUrl(deps.settings, ctx));
      noteWeakMethod(asked, deps);
      const browser = giveBrowserKey(ctx, deps.settings);
      const transactionId = await deps.storage.authorizations.begin(asked, browser);
      sendConsent(ctx, deps.settings, caller, { asked, transactionId, refused: null });
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      const { redirectUri } = client;
      seeOther(ctx, clientAnswer({ redirectUri, state: requestState(given), issuer }, error));
    }
  };
}

/** Throws `invalid_input`, which becomes a page. */
async function clientOf(given: RequestParameters, { state }: Context, deps: Deps): Promise<FoundClient> {
  const [clientId, redirectUri] = [needed(given, 'client_id'), needed(given, 'redirect_uri')];
  return findClient(clientId, redirectUri, state.network, deps);
}

function needed(given: RequestParameters, name: string): string {
  const value = given.get(name);
  if (value !== null) return value;
  const fault = given.isRepeated(name) ? 'is sent twice' : 'is missing';
  throw new AppError('invalid_input', `the app's request is not valid: ${name} ${fault} (invalid_request)`);
}

function askedBy(
  { clientId, name, redirectUri }: FoundClient,
  given: RequestParameters,
  resource: string,
): AuthorizationTransaction {
  return { clientId, clientName: name, redirectUri, ...checkRequest(given, resource) };
}

/** The interface allows the method `plain`, which does not protect a code from those who can read the request. */
function noteWeakMethod({ clientId, challengeMethod }: AuthorizationTransaction, { log }: Deps): void {
  if (challengeMethod === 'plain') log.warn({ clientId }, 'a client uses PKCE with the method plain');
}
