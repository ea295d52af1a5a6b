const longestUri = 2_000;

/** Addresses by which an app on the user's own computer is reached, spelt in this one way, with any port (RFC 8252, section 7.3). */
const loopbackForm = /^(https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/;
const highestPort = 65_535;

/** ASCII without spaces, quotes, backslashes and other characters that browsers and servers read differently. */
const plainText = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/;

/** A loopback address without its port, which the app chooses anew each time; null for any other. */
function withoutPort(uri: string): string | null {
  const [, host, port = '0', rest] = loopbackForm.exec(uri) ?? [];
  return host === undefined || Number(port) > highestPort ? null : host + rest;
}

/** Whether the browser is sent to an app on the user's own computer. */
export const isLoopbackRedirect = (uri: string): boolean =>
  redirectUriFault(uri) === null && withoutPort(uri) !== null;

/**
 * What is wrong with a redirect URI; null if it is valid. Allowed are https and loopback addresses without fragment, wildcard and
 * user info, and with a host in its usual form.
 */
export function redirectUriFault(uri: string): string | null {
  if (uri.length > longestUri) return `is longer than ${longestUri} characters`;
  if (!plainText.test(uri) || !URL.canParse(uri)) return 'is not a URL of plain characters';
  if (uri.includes('#')) return 'has a fragment';
  if (uri.includes('*')) return 'has a wildcard';
  if (withoutPort(uri) !== null) return null;
  if (!uri.startsWith('https://')) return 'is neither an https address nor one of this computer';
  const [authority] = uri.slice('https://'.length).split(/[/?]/);
  const { host, hostname } = new URL(uri);
  if (authority.includes('@')) return 'has user info';
  if (hostname === '' || authority.replace(/:443$/, '') !== host) return 'has a host in an unusual form';
  return null;
}

/** Whether a given redirect URI equals a registered one, as text. The port of a loopback address may differ. */
export function isSameRedirect(registered: string, given: string): boolean {
  if (registered === given) return true;
  const plain = withoutPort(registered);
  return plain !== null && plain === withoutPort(given);
}

/** The host that the browser is sent to, with its port if it has an unusual one. */
export const redirectHostOf = (uri: string): string => new URL(uri).host;
