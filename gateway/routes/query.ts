import { AppError } from '../../compute/model/errors.js';

/**
 * The parameters of a query string. Throws `invalid_input` for a repeated parameter and for one that is not percent-encoded
 * UTF-8, because parsers disagree on them.
 */
export function readQuery(querystring: string): Record<string, string> {
  if (querystring === '') return {};
  const given: [name: string, value: string][] = querystring
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name, ...value] = part.split('=');
      return [decode(name), decode(value.join('='))];
    });
  const names = new Set<string>();
  for (const [name] of given) {
    if (names.has(name)) throw invalid(`parameter "${name.slice(0, 60)}" is given twice`, name);
    names.add(name);
  }
  return Object.fromEntries(given);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    const message = `the query is not percent-encoded UTF-8, found "${text.slice(0, 60)}"`;
    throw new AppError('invalid_input', message, { cause: error });
  }
}

const invalid = (message: string, field: string) =>
  new AppError('invalid_input', message, { details: { field, unknown: true } });
