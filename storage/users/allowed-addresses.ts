import { BlockList, isIP, isIPv6 } from 'node:net';
import { plainAddress } from './plain-address.js';

const longestPrefix = (address: string) => (isIPv6(address) ? 128 : 32);

/** Whether a text is an IP address, or a network such as 192.0.2.0/24. */
export function isAddressOrNetwork(text: string): boolean {
  const [address, prefix, ...more] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longestPrefix(address));
}

/** Whether one of the addresses and networks holds the address; an empty list holds all. */
export function isAllowedAddress(allowed: readonly string[], address: string): boolean {
  if (allowed.length === 0) return true;
  const plain = plainAddress(address);
  if (plain === null) return false;
  const list = new BlockList();
  for (const each of allowed) {
    const [network, prefix] = each.split('/');
    list.addSubnet(network, Number(prefix ?? longestPrefix(network)), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
