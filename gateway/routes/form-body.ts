import type { ParameterizedContext } from 'koa';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { readRawBody } from './json-body.js';

/** Whether the body is a form, as browsers and OAuth clients send it. */
export const isFormBody = (ctx: ParameterizedContext): boolean =>
  /^application\/x-www-form-urlencoded\s*(;\s*charset=("?)utf-8\2\s*)?$/i.test(ctx.get('Content-Type'));

/**
 * The fields of a form in the body, at most 64 KiB. Throws `unsupported_media_type` for another type, `body_too_large`,
 * `invalid_body` for text that is not UTF-8, and `invalid_input` for a field that comes twice: readers of one form could
 * otherwise take different values from it.
 */
export async function readFormBody(ctx: ParameterizedContext): Promise<Record<string, string>> {
  if (!isFormBody(ctx) || ctx.get('Content-Encoding') !== '') {
    const message = 'the body must have Content-Type "application/x-www-form-urlencoded" in UTF-8';
    throw new AppError('unsupported_media_type', message);
  }
  return formFields((await readRawBody(ctx)).toString('latin1'));
}

/** The fields of a form or query. Throws `invalid_body` and `invalid_input`, as `readFormBody`. */
export function formFields(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split('&').filter((part) => part !== '');
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    if (fields.has(name)) {
      const field = name.slice(0, 100);
      throw fieldError(field, `"${field}" is given twice`);
    }
    fields.set(name, at < 0 ? '' : decoded(pair.slice(at + 1)));
  }
  return Object.fromEntries(fields);
}

/** URLSearchParams replaces what it can't decode; here that is an error. Bytes outside ASCII have to be percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new AppError('invalid_body', 'the form is not percent-encoded UTF-8', { cause: error });
  }
}
