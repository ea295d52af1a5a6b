/** A secret that requests are signed with, and the public name that selects it, if it has one. */
export interface ApiSecret {
  key: string | null;
  secret: string;
}

const keyPattern = /^[\w.-]{1,64}$/;

/**
 * What AI_API_SECRETS says: secrets separated by commas, each alone or after a key and a colon; several may share a key.
 * Throws when it says nothing that can be understood, without repeating any of it.
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
