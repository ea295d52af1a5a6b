import type { ParameterizedContext, Middleware } from 'koa';
import type {
  AdmittedPartner,
  PartnerCredentials,
  SignedKey,
  PartnerKey,
} from '../../storage/users/partners.js';
import { badCredentials } from '../auth/bad-credentials.js';
import { clockFault, verifySignature } from '../auth/signature.js';
import type { Deps, RequestState } from '../context.js';
import { chargeLookup, chargeCaller, chargePartner, runCharged } from './charge.js';
import { readRawBody, carriesBody, hasNoBody, parseJsonBody, readJsonBody } from './json-body.js';
import { fieldError } from '../../compute/model/errors.js';
import { readRestAccess, requireAllowed } from '../auth/rest-access.js';
import { requireMember } from '../operations/partner/get-partner.js';
import type { PartnerCaller, PartnerOperation } from '../partner-operation.js';
import { RequestCaller, inHandSlot } from './caller.js';
import { sendResult } from './send-result.js';
import { readQuery } from './signed-input.js';

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
async function admitPartner(ctx: Context, deps: Deps): Promise<PartnerAdmission> {
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

/** An operation as a route for partners. The body is read when its key and secret are found to be good, or to verify its signature. */
export function mountPartner<Input, Output>(
  operation: PartnerOperation<Input, Output>,
  deps: Deps,
): Middleware<RequestState> {
  return async (ctx) => {
    const { partner, key, body } = await admitPartner(ctx, deps);
    await chargePartner(ctx, deps, operation.counts, partner.id);
    const slot = inHandSlot(ctx, deps);
    const given = (await readPartnerGiven(ctx, body)) as Record<string, unknown>;
    const input = operation.read(given, ctx.params as Record<string, string>, deps);
    const caller = partnerCaller(ctx, slot.leave, { partner, key });
    const result = await slot.hold(() => operation.handle(input, deps, caller));
    sendResult(ctx, result);
  };
}

/** The fields of the body, read already or not, or, for GET, of the query. A request without a body has no fields. */
function readPartnerGiven(ctx: Context, body: Buffer | null, surface = 'partner'): object | Promise<object> {
  if (!carriesBody(ctx.method, surface)) return readQuery(ctx.querystring);
  if (hasNoBody(ctx)) return {};
  return body ? parseJsonBody(ctx, body) : readJsonBody(ctx);
}

/** The caller. Throws `invalid_input` for a bad idempotency-key, whatever is asked for. */
function partnerCaller(
  ctx: Context,
  leave: () => void,
  shown: Pick<PartnerCaller, 'partner' | 'key'>,
): PartnerCaller {
  const caller = new RequestCaller(ctx, null, leave);
  void caller.idempotencyKey;
  return Object.assign(caller, shown);
}

/** What is recorded of a member's request that changes something. */
const isRecorded = ({ id }: { id: string }, method: string) => method !== 'GET' && !id.startsWith('validate');

/**
 * An operation of a partner as a route for the session of a user who acts for it. It counts against the limits of both. Fields
 * of the path need not be repeated in the body, and `channel` names the channel that a signal goes to.
 */
export function mountMember<Input, Output>(
  operation: PartnerOperation<Input, Output>,
  deps: Deps,
): Middleware<RequestState> {
  return async (ctx) => {
    const access = await readRestAccess(ctx, deps);
    const { user } = access;
    const slot = inHandSlot(ctx, deps);
    const result = await runCharged(chargeCaller(ctx, deps, user, 1, access.paid), false, async () => {
      requireAllowed({ id: `member-${operation.id}`, scope: 'user' }, ctx, access);
      const path = ctx.params as Record<string, string>;
      const sent = (await readPartnerGiven(ctx, null, 'envelope')) as Record<string, unknown>;
      const partner = await requireMember(user!, deps);
      await chargePartner(ctx, deps, operation.counts, partner.id);
      const { channel = null, ...given } = ctx.method === 'GET' ? sent : { ...path, ...sent };
      const key = await keyOf(channel, partner.id, deps);
      const input = operation.read(given, path, deps);
      const caller = partnerCaller(ctx, slot.leave, { partner, key });
      const answer = await slot.hold(() => operation.handle(input, deps, caller));
      if (isRecorded(operation, ctx.method)) {
        const { parent_signal_id: signal = path.parent_signal_id } = answer.payload as Record<string, string>;
        deps.audit.note('partner_command', user!.userId, caller, {
          partner: partner.name,
          command: operation.id,
          ...(signal === undefined ? {} : { signal }),
        });
      }
      return answer;
    });
    sendResult(ctx, result);
  };
}

/** Stands for the key of a partner that is bound to the channel. Throws `invalid_input` for a channel that is not the partner's. */
async function keyOf(channel: unknown, partnerId: string, { storage }: Deps): Promise<PartnerKey> {
  const found = typeof channel === 'string' ? await storage.channels.find(channel) : null;
  if (channel !== null && found?.partnerId !== partnerId)
    throw fieldError('channel', '"channel" is not the id of one of your channels');
  return { key: '', createdAt: new Date(0), lastUsedAt: null, addresses: [], channelId: found?.id ?? null };
}
