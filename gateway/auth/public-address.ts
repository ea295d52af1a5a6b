import { BlockList, isIPv6 } from 'node:net';
import { plainAddress } from '../../storage/users/plain-address.js';

/** Networks that are not public, from the registries of special-purpose addresses of IANA (RFC 6890), and multicast. */
const special = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, bits);

/** Public IPv6 addresses are in 2000::/3, without these parts of it. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 leads to the IPv4 address inside it.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is one of the public internet: not of this machine, a private network, or another special use. */
export function isPublicAddress(address: string): boolean {
  const plain = plainAddress(address);
  if (plain === null) return false;
  if (!isIPv6(plain)) return !special.check(plain);
  return globalUnicast.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
}
