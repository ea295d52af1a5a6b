import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';

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

/** What counts as one client: an IPv4 address, or the 64 bits of an IPv6 address that name a network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const groups = fullGroups(address);
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** An IPv4 address that came by IPv6 is an IPv4 address; zones and spaces do not count. */
function plain(text: string): string {
  const address = text.trim().toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  return mapped ? mapped[1] : address.replace(/%.*$/, '');
}

/** The eight groups of an IPv6 address, without leading zeros. */
function fullGroups(address: string): string[] {
  const [left, right] = address.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split('::');
  const [before, after] = [left, right].map((part) => (part ? part.split(':') : []));
  const zeros = right === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16));
}
