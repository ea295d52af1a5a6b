import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The address a request comes from: that of its connection, or the one that the outermost of `trustedHops` proxies saw,
 * each of which has added the address it saw to X-Forwarded-For. What stands further left, the client wrote itself.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const ofConnection = request.socket.remoteAddress ?? '';
  const { 'x-forwarded-for': header } = request.headers;
  if (trustedHops === 0 || header === undefined) return plain(ofConnection);
  const seen = String(header).split(',').map(plain);
  const address = seen[Math.max(0, seen.length - trustedHops)];
  return isIP(address) === 0 ? plain(ofConnection) : address;
}

/** An IPv4 address that came by IPv6 is an IPv4 address; zones and spaces do not count. */
function plain(text: string): string {
  const address = text.trim().toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  return mapped ? mapped[1] : address.replace(/%.*$/, '');
}
