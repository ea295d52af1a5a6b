import { lookup, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, BlockList, isIPv6, type LookupFunction } from 'node:net';
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

/** The address is not one of the public internet. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

export interface PublicFetchOptions {
  headers?: RequestInit['headers'];
  signal?: AbortSignal | undefined;
  mostBytes: number;
  isAllowed?: ((address: string) => boolean) | undefined;
}

/**
 * Fetches from an https address that a client or issuer has named, if it leads to the public internet. Otherwise they could make
 * this service send requests into its own network. The check runs in the look-up of the connection, so the name can't resolve to
 * another address afterwards. It follows no redirect, and any status but 200 is an error. Throws `PrivateAddressError` for a refused address.
 */
export async function fetchPublic(
  url: string,
  { headers, signal, mostBytes, isAllowed = isPublicAddress }: PublicFetchOptions,
): Promise<Response> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // A host that is an address is not looked up.
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isAllowed(host))) throw new PrivateAddressError(host);
  const options = { headers: Object.fromEntries(new Headers(headers)), signal };
  const request = requestHttps(url, { ...options, agent: false, lookup: lookUpWhere(isAllowed) });
  // An error before the answer rejects `once`; a later one fails the reading of the answer.
  request.on('error', () => undefined);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  try {
    if (answer.statusCode !== 200) throw new Error(`it was answered with ${answer.statusCode}`);
    const body = await readSmall(answer as AsyncIterable<Uint8Array>, mostBytes);
    return new Response(body, { headers: answeredHeaders(answer) });
  } finally {
    request.destroy();
  }
}

const answeredHeaders = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);

/** A look-up that fails if one of the addresses of the name is not allowed. */
const lookUpWhere =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      const [first] = found;
      if (error) callback(error, []);
      else if (!found.every(({ address }) => isAllowed(address)))
        callback(new PrivateAddressError(hostname), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

/** The bytes of a body. Throws for one that is larger than the limit, without reading on. */
export async function readSmall(
  parts: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
    read.push(part);
  }
  return Buffer.concat(read);
}
