const longestUrl = 500;

/** Whether a client id has the form of an address, of a document that describes the client. */
export const isUrlClientId = (clientId: string): boolean => /^[a-z][a-z\d+.-]*:[/\\]/i.test(clientId);

/**
 * What is wrong with a client id as the address of a Client ID Metadata Document; null if it is valid. It must have a path, and the
 * form in which a URL parser writes it, so that two texts never mean one client.
 */
export function metadataUrlFault(clientId: string): string | null {
  if (clientId.length > longestUrl) return `is longer than ${longestUrl} characters`;
  if (!URL.canParse(clientId)) return 'is not a URL';
  const { protocol, username, password, pathname, search, hash, href } = new URL(clientId);
  if (protocol !== 'https:') return 'is not an https address';
  if (username !== '' || password !== '') return 'has user info';
  if (hash !== '' || clientId.includes('#')) return 'has a fragment';
  if (search !== '' || clientId.includes('?')) return 'has a query';
  if (pathname === '/') return 'has no path';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(clientId.replace(/^[^/]*\/\/[^/]*/, ''))) return 'has dot segments';
  if (href !== clientId) return 'has an unusual form';
  return null;
}
