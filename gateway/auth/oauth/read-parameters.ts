import type { ParameterizedContext } from 'koa';
import { isFormBody, readFormBody } from '../../routes/form-body.js';
import { readJsonBody } from '../../routes/json-body.js';
import { oauthError } from './oauth-error.js';

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
