import { lookup, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.js';
import { readSmall } from './read-small.js';

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
