import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../../../compute/model/errors.js';
import type { AuthorizationTransaction } from '../../../../storage/oauth/transactions.js';
import type { Deps, RequestState } from '../../../context.js';
import { connectorUrl, serviceUrl } from '../../../mcp/access/read-access.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { giveBrowserKey } from '../../../web/site/browser-key.js';
import { readPageCaller, type PageCaller } from '../../../web/site/page-caller.js';
import { seeOther, sendPage } from '../../../web/site/send-page.js';
import { findClient, type FoundClient } from '../clients/find-client.js';
import { AuthorizationError } from './authorization-error.js';
import { checkRequest, requestState } from './check-request.js';
import { RequestParameters } from './request-parameters.js';
import type { Settings } from '../../../../storage/process/settings.js';
import { html } from '../../../web/html.js';
import { csrfField, csrfToken } from '../../../web/site/csrf-token.js';
import { layout } from '../../../web/site/error-page.js';
import { consentPage, type ConsentView } from './consent-page.js';

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

type ConsentFacts = Pick<ConsentView, 'asked' | 'transactionId' | 'refused'>;

/** Sends the consent page. It also asks for e-mail and password unless the browser is signed in. */
export function sendConsent(
  ctx: ParameterizedContext<RequestState>,
  settings: Settings,
  { user, secret }: PageCaller,
  facts: ConsentFacts,
  status = 200,
): void {
  const csrf = csrfToken(secret ?? giveBrowserKey(ctx, settings));
  const email = facts.refused ? null : (user?.email ?? null);
  const back = `/sign-out?next=${encodeURIComponent(ctx.url)}`;
  const otherAccount =
    email === null
      ? null
      : html`<form method="post" action="${back}">
          <input type="hidden" name="${csrfField}" value="${csrf}" />
          <input type="hidden" name="form" value="sign-out" />
          <p><button>Use another account</button></p>
        </form>`;
  const { title, body } = consentPage({ ...facts, csrf, email, otherAccount });
  const text = layout({
    title: facts.refused ? `Error: ${title}` : title,
    body,
    email: null,
    signOut: null,
    path: '/sign-in',
  });
  sendPage(ctx, status, text, formTargets(facts.asked.redirectUri));
}

interface AnswerTarget {
  redirectUri: string;
  state: string | null;
  /** The URL of this service. It tells clients which authorization server has answered (RFC 9207). */
  issuer: string;
}

/** The address that sends the browser back to the client, with the answer added to the query of the redirect URI. */
export function clientAnswer(
  { redirectUri, state, issuer }: AnswerTarget,
  answer: { code: string } | AuthorizationError,
): string {
  const parameters = new URLSearchParams(
    answer instanceof AuthorizationError
      ? { error: answer.code, error_description: answer.message.replaceAll('"', "'") }
      : answer,
  );
  if (state !== null) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`;
}

/**
 * Sources of a Content-Security-Policy to which the answer to the form of consent may redirect. Chromium applies `form-action` to
 * every redirect that follows a form, also to the redirects of the client, which may lead to any https page. No source can name
 * an IPv6 address, so its scheme is the source instead.
 */
export function formTargets(redirectUri: string): string[] {
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return ['https:'];
  return [hostname.startsWith('[') ? 'http:' : origin, 'https:'];
}
