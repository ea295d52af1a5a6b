/** A secret that requests are signed with. `key` is the public name that selects it; null if it has none. */
export interface ApiSecret {
  key: string | null;
  secret: string;
}

const keyPattern = /^[\w.-]{1,64}$/;

/**
 * Parses AI_API_SECRETS: secrets separated by commas, each alone or after a key and a colon. Several may share a key.
 * Throws a RangeError that does not repeat the text.
 */
export function readApiSecrets(text: string): ApiSecret[] {
  if (text === '') return [];
  return text.split(',').map((entry) => {
    const [, key, secret] = /^(?:([^:]*):)?(.*)$/.exec(entry.trim())!;
    const isKnown = key === undefined || keyPattern.test(key);
    if (!isKnown || secret === '') throw new RangeError('expected a secret, or a key, a colon and a secret');
    return { key: key ?? null, secret };
  });
}
