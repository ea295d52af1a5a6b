import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The client's address: that of the connection, or the one seen by the outermost of `trustedHops` proxies. Each proxy
 * appends the address it sees to X-Forwarded-For; entries further left are written by the client and not trusted.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const ofConnection = request.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': header } = request.headers;
  if (trustedHops === 0 || header === undefined) return plain(ofConnection);
  const seen = String(header).split(',').map(plain);
  const address = seen[Math.max(0, seen.length - trustedHops)];
  return isIP(address) === 0 ? plain(ofConnection) : address;
}

/** The address in lower case without spaces and zone; an IPv4 address mapped to IPv6 becomes IPv4. */
function plain(text: string): string {
  const address = text.trim().toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  return mapped ? mapped[1] : address.replace(/%.*$/, '');
}
