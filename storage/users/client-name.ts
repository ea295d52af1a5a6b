const mostCharacters = 200;

/**
 * What a client calls itself in its User-Agent, for people to read: at most 200 characters, without those that hide or
 * reorder others.
 */
export function clientName(userAgent: string | undefined): string {
  const plain = (userAgent ?? '').slice(0, 1_000).replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ');
  return [...plain.trim()].slice(0, mostCharacters).join('');
}
