import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { Deps, RequestState } from '../context.js';
import type { PartnerCaller, PartnerOperation } from '../partner-operation.js';
import { RequestCaller } from './caller.js';
import { carriesBody } from './carries-body.js';
import { chargePartner } from './charge.js';
import { hasNoBody } from './has-no-body.js';
import { inHandSlot } from './in-hand-slot.js';
import { parseJsonBody, readJsonBody } from './json-body.js';
import { admitPartner } from './partner-admission.js';
import { readQuery } from './query.js';
import { sendResult } from './send-result.js';

type Context = ParameterizedContext<RequestState>;

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
    const shown = { partner, key, idempotencyKey: idempotencyKeyOf(ctx) };
    const caller: PartnerCaller = Object.assign(new RequestCaller(ctx, null, slot.leave), shown);
    const result = await slot.hold(() => operation.handle(input, deps, caller));
    sendResult(ctx, result);
  };
}

/** The fields of the body, read already or not, or, for GET, of the query. A request without a body has no fields. */
export function readPartnerGiven(
  ctx: Context,
  body: Buffer | null,
  surface = 'partner',
): object | Promise<object> {
  if (!carriesBody(ctx.method, surface)) return readQuery(ctx.querystring);
  if (hasNoBody(ctx)) return {};
  return body ? parseJsonBody(ctx, body) : readJsonBody(ctx);
}

const keyPattern = /^[\x21-\x7e]{1,200}$/;

/** Throws `invalid_input` for a key of other characters or lengths. */
export function idempotencyKeyOf({ req }: Context): string | null {
  const { 'idempotency-key': values } = req.headersDistinct;
  if (values === undefined) return null;
  if (values.length === 1 && keyPattern.test(values[0])) return values[0];
  const message = 'the header "idempotency-key" must be 1 to 200 printable ASCII characters without spaces';
  throw new AppError('invalid_input', message, { details: { field: 'idempotency-key', unknown: true } });
}
