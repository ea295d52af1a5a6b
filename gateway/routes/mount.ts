import type { Middleware, ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { checkScope, readSignedIn } from '../auth/session.js';
import type { Deps, RequestState } from '../context.js';
import { successEnvelope } from '../answers/envelope.js';
import { readInput, type OperationResult, type Operation } from '../operation.js';
import { callerOf, chargeCaller, runCharged } from './caller.js';
import { carriesBody } from './carries-body.js';
import { setCacheHeaders, setServerTiming } from './answer-headers.js';
import { readJsonBody } from './json-body.js';
import { readQuery } from './query.js';

type Context = ParameterizedContext<RequestState>;

/**
 * The surface of an operation as a route that answers in the envelope. Its input is the JSON body, or the query where the
 * method carries no body.
 */
export function mount<Input, Output>(
  operation: Operation<Input, Output>,
  deps: Deps,
  /** What of the input stands elsewhere. */
  besides: (ctx: Context) => Record<string, unknown> = () => ({}),
): Middleware<RequestState> {
  // Where nothing must be said, no body says it.
  const mayLackBody = operation.input.validate({}).error === undefined;
  const fields = new Set(Object.keys((operation.input.describe().keys as object | undefined) ?? {}));
  const readBody = async (ctx: Context) =>
    mayLackBody && isBodyless(ctx) ? {} : readJsonBody(ctx).catch(markUnknown(fields));
  return async (ctx) => {
    const user = await readSignedIn(ctx, deps.signedIn);
    const caller = callerOf(ctx, user);
    const charged = chargeCaller(ctx, deps, user, operation.cost);
    const answered = await runCharged(charged, operation.isLight === true, async () => {
      checkScope(operation.scope, user);
      const input = carriesBody(ctx.method)
        ? readInput(operation.input, { ...besides(ctx), ...(await readBody(ctx)) })
        : readInput(operation.input, queryBesides(ctx, besides(ctx)), true);
      return operation.handle(input, deps, caller);
    });
    answer(ctx, answered);
    setServerTiming(ctx, caller.timings);
  };
}

const isBodyless = ({ req }: Context) =>
  req.headers['transfer-encoding'] === undefined && Number(req.headers['content-length'] ?? 0) === 0;

/** The query, and what stands elsewhere: a name that the path has is none that the query may have. */
function queryBesides(ctx: Context, given: Record<string, unknown>): Record<string, unknown> {
  const query = readQuery(ctx.querystring);
  const field = Object.keys(query).find((name) => Object.hasOwn(given, name));
  if (field === undefined) return { ...query, ...given };
  throw new AppError('invalid_input', `"${field}" is not allowed`, { details: { field, unknown: true } });
}

/** A fault in a field that there is not is no fault of a kind that has the name of that field. */
const markUnknown =
  (fields: ReadonlySet<string>) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.details.field === undefined) throw error;
    const { code, message, details } = error;
    if (fields.has(String(details.field))) throw error;
    throw new AppError(code, message, { details: { ...details, unknown: true }, cause: error });
  };

function answer(ctx: Context, { payload, ttl, etag }: OperationResult<unknown>): void {
  setCacheHeaders(ctx, ttl, etag);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = successEnvelope(payload, ttl);
}
