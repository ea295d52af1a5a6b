import { isIPv4, isIPv6 } from 'node:net';

/** An IPv4 address mapped to IPv6 (RFC 4291, section 2.5.5.2), in the shortest form. */
const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/;

/**
 * An IP address in the one form in which addresses are compared: lower case, IPv6 in its shortest form and without its
 * zone, and IPv4 for an IPv4 address mapped to IPv6. Null if the text is no address.
 */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const [address] = text.toLowerCase().split('%');
  if (!isIPv6(address)) return null;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = mapped.exec(shortest);
  return groups === null ? shortest : ipv4Of(Number.parseInt(groups[1], 16), Number.parseInt(groups[2], 16));
}

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');
