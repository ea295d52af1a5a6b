import { AppError } from '../../../../compute/model/errors.js';
import { AuthorizationError } from './authorization-error.js';

/** The parameters of an authorization request. One that is sent twice has no value, because its meaning is ambiguous. */
export class RequestParameters {
  readonly #values = new Map<string, string[]>();

  /** Throws `invalid_input` for a query that is not percent-encoded UTF-8. */
  constructor(querystring: string) {
    for (const part of querystring.split('&').filter((each) => each !== '')) {
      const [name, ...value] = part.split('=');
      const [key, text] = [decoded(name), decoded(value.join('='))];
      const values = this.#values.get(key);
      if (values) values.push(text);
      else this.#values.set(key, [text]);
    }
  }

  /** The value; null if it is missing, empty or sent twice. */
  get(name: string): string | null {
    const [value = '', ...more] = this.#values.get(name) ?? [];
    return value === '' || more.length > 0 ? null : value;
  }

  /** Whether it was sent, even empty. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  isRepeated(name: string): boolean {
    return (this.#values.get(name)?.length ?? 0) > 1;
  }

  /** Throws `invalid_request` for any parameter that is sent twice. */
  checkRepeated(): void {
    for (const [name, values] of this.#values)
      if (values.length > 1) throw new AuthorizationError('invalid_request', `${shown(name)} is sent twice`);
  }
}

/** The name for an error message, if it is a plain word: a client can send any text as a name. */
const shown = (name: string): string => (/^\w{1,40}$/.test(name) ? name : 'a parameter');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    throw new AppError('invalid_input', 'the query is not percent-encoded UTF-8', { cause: error });
  }
}
