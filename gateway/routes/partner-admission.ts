import type { ParameterizedContext } from 'koa';
import type { AdmittedPartner, PartnerCredentials, SignedKey } from '../../storage/users/partners.js';
import { badCredentials } from '../auth/bad-credentials.js';
import { clockFault, verifySignature } from '../auth/signature.js';
import type { Deps, RequestState } from '../context.js';
import { chargeLookup } from './charge.js';
import { readRawBody } from './json-body.js';

type Context = ParameterizedContext<RequestState>;

const signatureNeeded =
  'a valid key and signature are needed: headers svc-api-key, x-timestamp and x-signature';

/** `body`: what a signed request has sent; null if nothing was read. */
type PartnerAdmission = AdmittedPartner & { body: Buffer | null };

/**
 * The partner whose key a request shows, with its secret or a signature. What was not accepted the last time is charged to the
 * address before it is looked up, so that guesses meet the rate limit before MongoDB; what turns out to be good costs
 * nothing. Throws `forbidden`, with the same words whatever is wrong but the clock, and `rate_limited`.
 */
export async function admitPartner(ctx: Context, deps: Deps): Promise<PartnerAdmission> {
  const key = headerOf(ctx, 'svc-api-key');
  const isSigned = ctx.headers['x-signature'] !== undefined;
  const mustSign = deps.settings.PARTNER_SIGNATURES === 'require';
  let refund = null as (() => void) | null;
  const charge = async () => (refund ??= await chargeLookup(ctx, deps));
  // The body of a stranger is not read for nothing.
  if (isSigned ? !deps.partners.hasSigned(key) : mustSign) await charge();
  if (!isSigned && mustSign) throw badCredentials(signatureNeeded);
  const body = isSigned ? await readRawBody(ctx) : null;
  const shown = body ? signedKey(ctx, key, body) : { key, secret: headerOf(ctx, 'svc-api-secret') };
  if (!deps.partners.isPlausible(shown)) await charge();
  const admitted = await deps.partners.find(shown, ctx.state.address);
  if (!admitted) throw refusal(ctx, shown);
  refund?.();
  return { ...admitted, body };
}

function signedKey({ method, originalUrl: target, headers }: Context, key: string, body: Buffer): SignedKey {
  const nowMs = Date.now();
  return {
    key,
    isSignedWith: (secret) =>
      verifySignature({ method, target, body, headers }, secret === null ? [] : [{ key, secret }], nowMs),
  };
}

const refusal = ({ headers }: Context, shown: PartnerCredentials | SignedKey) =>
  'secret' in shown
    ? badCredentials()
    : badCredentials(clockFault(headers['x-timestamp'], Date.now()) ?? signatureNeeded);

/** A header; empty if it is missing or sent several times, which no key equals. */
function headerOf({ req }: Context, name: string): string {
  const values = req.headersDistinct[name] ?? [];
  return values.length === 1 ? values[0] : '';
}
