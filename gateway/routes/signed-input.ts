import type { ParameterizedContext } from 'koa';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { parseJsonBody } from './json-body.js';

/**
 * The parameters of a query string. Throws `invalid_input` for a repeated parameter and for one that is not percent-encoded
 * UTF-8, because parsers disagree on them.
 */
export function readQuery(querystring: string): Record<string, string> {
  if (querystring === '') return {};
  const given = new Map<string, string>();
  for (const part of querystring.split('&')) {
    if (part === '') continue;
    const [first, ...value] = part.split('=');
    const name = decode(first);
    if (given.has(name)) throw invalid(`parameter "${name.slice(0, 60)}" is given twice`, name);
    given.set(name, decode(value.join('=')));
  }
  return Object.fromEntries(given);
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    const message = `the query is not percent-encoded UTF-8, found "${text.slice(0, 60)}"`;
    throw new AppError('invalid_input', message, { cause: error });
  }
}

const invalid = (message: string, field: string) =>
  fieldError(field, message, 'invalid_input', { unknown: true });

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
  fieldError(name, `"${name.slice(0, 60)}" differs between the query and the body`, 'invalid_input', {
    unknown: true,
  });
