import { AppError } from '../../compute/model/errors.js';

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
  new AppError('invalid_input', message, { details: { field, unknown: true } });
