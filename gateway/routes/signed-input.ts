import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { parseJsonBody } from './json-body.js';
import { readQuery } from './query.js';

/**
 * The parameters of the query and of the body, if there is one. Throws `invalid_input` for one that differs between the
 * two, and `invalid_body` for a body of a method other than POST.
 */
export async function readSignedParameters(ctx: ParameterizedContext, body: Buffer): Promise<object> {
  const query = readQuery(ctx.querystring);
  if (body.length === 0) return query;
  if (ctx.method !== 'POST')
    throw new AppError('invalid_body', `${ctx.method} takes its parameters in the query, and no body`);
  const fields = (await parseJsonBody(ctx, body)) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(fields, name) && fields[name] !== value) throw differs(name);
  }
  return { ...query, ...fields };
}

const differs = (name: string): AppError =>
  new AppError('invalid_input', `"${name.slice(0, 60)}" differs between the query and the body`, {
    details: { field: name, unknown: true },
  });
