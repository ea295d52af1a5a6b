import { isIPv6 } from 'node:net';
import { plainAddress } from './plain-address.js';

/** The network that counts as one client: an IPv4 address, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = plainAddress(address) ?? address;
  return isIPv6(plain) ? `${fullGroups(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The eight groups of an IPv6 address in its shortest form. */
function fullGroups(address: string): string[] {
  const [before, after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}
