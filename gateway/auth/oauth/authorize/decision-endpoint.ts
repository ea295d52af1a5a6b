import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../../../compute/model/errors.js';
import { mapStorageError } from '../../../../storage/index.js';
import { retryAfter, statusOf } from '../../../answers/envelope.js';
import type { Deps, RequestState } from '../../../context.js';
import { hostCheck } from '../../../mcp/access/known-host.js';
import { serviceUrl } from '../../../mcp/access/read-access.js';
import { readFormBody } from '../../../routes/form-body.js';
import { readBrowserKey } from '../../../web/site/browser-key.js';
import { csrfField, isCsrfToken } from '../../../web/site/csrf-token.js';
import { faultsOf } from '../../../web/site/form-faults.js';
import { readPageCaller, type PageCaller } from '../../../web/site/page-caller.js';
import { credentialFields } from '../../../web/site/pages/credential-fields.js';
import { checkSameOrigin } from '../../../web/site/same-origin.js';
import { seeOther } from '../../../web/site/send-page.js';
import { AuthorizationError } from './authorization-error.js';
import { clientAnswer, sendConsent } from './authorize-endpoint.js';
import {
  allowByPassword,
  allowBySession,
  denyAuthorization,
  expiredRequest,
  type Decision,
  type DecisionInput,
} from './decide.js';

type Context = ParameterizedContext<RequestState>;
type Values = Readonly<Record<string, string>>;

/**
 * Takes the decision of the user and sends the browser back to the client. The form can't change what the client gets, which was
 * stored with its request. The form is valid only in the browser that it was shown in.
 */
export function decisionEndpoint(deps: Deps): Middleware<RequestState> {
  const checkHost = hostCheck(deps.settings);
  return async (ctx) => {
    ctx.state.isPage = true;
    checkHost(ctx);
    checkSameOrigin(ctx, deps.settings);
    const caller = await readPageCaller(ctx, deps);
    await caller.payAhead();
    const values = await readFormBody(ctx);
    const input = await openRequest(ctx, values, deps);
    try {
      const { asked, code } = await decide(values, input, caller);
      const target = { ...asked, issuer: serviceUrl(deps.settings, ctx) };
      seeOther(ctx, clientAnswer(target, code === null ? denied() : { code }));
    } catch (caught) {
      await askAgain(ctx, deps, { caught, values, input, caller });
    }
  };
}

/** The request that the form decides, if it is open and of this browser. Throws `forbidden`. */
async function openRequest(
  ctx: Context,
  values: Values,
  { settings, storage }: Deps,
): Promise<DecisionInput> {
  const browser = readBrowserKey(ctx, settings);
  const { transaction = '' } = values;
  if (browser === null || (await storage.authorizations.find(transaction, browser)) === null)
    throw expiredRequest();
  return { transaction, browser };
}

function decide(values: Values, input: DecisionInput, caller: PageCaller): Promise<Decision> {
  const { decision, email, password } = values;
  if (decision === 'deny') return caller.run(denyAuthorization, input);
  if (decision !== 'allow')
    throw new AppError('invalid_input', 'the form has no decision: allow or deny is expected');
  if (email !== undefined || password !== undefined)
    return caller.run(allowByPassword, { ...input, email, password });
  // The page showed one account. If another user has signed in since, that user has not consented.
  if (caller.secret === null || !isCsrfToken(values[csrfField], caller.secret)) throw expiredRequest();
  return caller.run(allowBySession, input);
}

interface FailedDecision {
  caught: unknown;
  values: Values;
  input: DecisionInput;
  caller: PageCaller;
}

/** Shows the form again with what was wrong with e-mail or password; throws all other errors, which become pages. */
async function askAgain(ctx: Context, deps: Deps, failed: FailedDecision): Promise<void> {
  const error = mapStorageError(failed.caught);
  const { values, input } = failed;
  const isRefusal =
    error instanceof AppError && ['invalid', 'denied', 'limited', 'busy'].includes(error.kind);
  if (!isRefusal || values.email === undefined) throw failed.caught;
  const asked = await deps.storage.authorizations.find(input.transaction, input.browser);
  if (!asked) throw failed.caught;
  const seconds = retryAfter(error);
  if (seconds !== null) ctx.set('Retry-After', String(seconds));
  const form = { fields: credentialFields, operation: allowByPassword };
  const given = { ...input, email: values.email, password: values.password };
  const refused = { email: values.email, faults: faultsOf(form, given, error) };
  const facts = { asked, transactionId: input.transaction, refused };
  sendConsent(ctx, deps.settings, failed.caller, facts, statusOf(error));
}

const denied = () => new AuthorizationError('access_denied', 'the user has denied access');
