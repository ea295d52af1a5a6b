import type Joi from 'joi';
import type { ParameterizedContext } from 'koa';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { once } from '../../storage/process/once.js';
import type { Deps, RequestState } from '../context.js';
import type { Operation } from '../operation.js';
import { understoodInput, schemaFields } from '../understood-input.js';
import { carriesBody, hasNoBody, readJsonBody } from './json-body.js';
import { readQuery } from './signed-input.js';

type Context = ParameterizedContext<RequestState>;

/** Reads input fields from elsewhere than body and query, such as the path. */
export type ExtraInput = (ctx: Context) => Record<string, unknown>;

const none = {};

/**
 * Reads the input of an operation from the JSON body, or from the query if the method carries no body. A body can be left out
 * if it has no required field. The returned function throws `invalid_input`, or an error of the body.
 */
export function inputReader<Input>(
  operation: Pick<Operation<Input, unknown>, 'input'>,
  deps: Pick<Deps, 'settings' | 'storage'>,
  extraInput: ExtraInput = () => none,
): (ctx: Context) => Promise<Input> {
  const known = once(() => emptyInput(operation.input));
  return async (ctx) => {
    const { input, empty, required, fields } = known();
    const extra = extraInput(ctx);
    const isEmpty = !empty.error && extra === none && ctx.querystring === '';
    if (isEmpty && !carriesBody(ctx.method)) return { ...empty.value };
    if (!carriesBody(ctx.method)) return understoodInput(input, mergeQuery(ctx, extra), deps, true);
    const isLeftOut = hasNoBody(ctx) && required.every((name) => Object.hasOwn(extra, name));
    const body = isLeftOut ? {} : await readJsonBody(ctx).catch(markUnknownField(fields));
    requireSameAsPath(ctx, body);
    return understoodInput(input, { ...extra, ...body }, deps);
  };
}

/** What holds for every request: the fields, those that are required, and the input of a request without any. */
function emptyInput<Input>(input: Joi.ObjectSchema<Input>) {
  const empty = input.validate({}, { abortEarly: false });
  const required = (empty.error?.details ?? []).map(({ path }) => String(path[0]));
  const fields = new Set(schemaFields(input).map(({ key }) => key));
  return { input, empty, required, fields };
}

/** The fields of the query and the extra ones. Throws `invalid_input` for a query field that is an extra one, too. */
function mergeQuery(ctx: Context, extra: Record<string, unknown>): Record<string, unknown> {
  const query = readQuery(ctx.querystring);
  const field = Object.keys(query).find((name) => Object.hasOwn(extra, name));
  if (field === undefined) return { ...query, ...extra };
  throw fieldError(field, `"${field}" is not allowed`, 'invalid_input', { unknown: true });
}

/** Throws `invalid_input` for a body field that differs from the parameter of its name in the path. */
function requireSameAsPath(ctx: Context, body: object): void {
  const inPath = (ctx.params ?? {}) as Record<string, unknown>;
  for (const [field, value] of Object.entries(body)) {
    if (!Object.hasOwn(inPath, field) || inPath[field] === value) continue;
    throw fieldError(field, `"${field}" differs between the path and the body`);
  }
}

/** Faults in unknown fields are reported as INVALID_INPUT_CONTENT, because there is no INVALID_INPUT_<FIELD> for them. */
const markUnknownField =
  (fields: ReadonlySet<string>) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.details.field === undefined) throw error;
    const { code, message, details } = error;
    if (fields.has(String(details.field).split(/[.[]/)[0])) throw error;
    throw new AppError(code, message, { details: { ...details, unknown: true }, cause: error });
  };
