import type { ParameterizedContext } from 'koa';
import type { AdmittedPartner } from '../../storage/users/partners.js';
import { badCredentials } from '../auth/bad-credentials.js';
import type { Deps, RequestState } from '../context.js';
import { chargeLookup } from './charge.js';

type Context = ParameterizedContext<RequestState>;

/**
 * The partner whose key and secret a request shows. Credentials that were not accepted the last time are charged to the
 * address before they are looked up, so that guesses meet the rate limit before MongoDB; those that turn out to be good cost
 * nothing. Throws `forbidden`, with the same words whatever is wrong, and `rate_limited`.
 */
export async function admitPartner(ctx: Context, deps: Deps): Promise<AdmittedPartner> {
  const credentials = { key: headerOf(ctx, 'svc-api-key'), secret: headerOf(ctx, 'svc-api-secret') };
  const isKnown = deps.partners.isPlausible(credentials);
  const refund = isKnown ? () => undefined : await chargeLookup(ctx, deps);
  const admitted = await deps.partners.find(credentials, ctx.state.address);
  if (!admitted) throw badCredentials();
  refund();
  return admitted;
}

/** A header; empty if it is missing or sent several times, which no key equals. */
function headerOf({ req }: Context, name: string): string {
  const values = req.headersDistinct[name] ?? [];
  return values.length === 1 ? values[0] : '';
}
