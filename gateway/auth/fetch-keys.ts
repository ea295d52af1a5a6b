import { lookup, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { AppError } from '../../compute/model/errors.js';
import { isPublicAddress } from './public-address.js';

const mostBytes = 256 * 1024;

/** Fetches from an address that an operator has named. Reads at most 256 KiB, so that no issuer fills the memory. */
export async function fetchNamed(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  const body = await readSmall((answer.body ?? []) as AsyncIterable<Uint8Array>);
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/**
 * Fetches from an https address that an issuer has named, if it leads to the public internet: else an issuer could make this
 * service send requests into its own network. The addresses are those that the connection uses, so that a name can't
 * change in between. Follows no redirect; any status but 200 is an error. Throws `idp_unavailable` for a refused address.
 */
export async function fetchPublic(
  url: string,
  { headers, signal }: RequestInit,
  isAllowed = isPublicAddress,
): Promise<Response> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // A host that is an address is not looked up.
  if (protocol !== 'https:' || (isIP(host) !== 0 && !isAllowed(host))) throw refusedAddress();
  const options = { headers: Object.fromEntries(new Headers(headers)), signal: signal ?? undefined };
  const request = requestHttps(url, { ...options, agent: false, lookup: lookUpWhere(isAllowed) });
  // Errors before the answer reject `once`, later ones end the reading of the answer.
  request.on('error', () => undefined);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  try {
    if (answer.statusCode !== 200) throw new Error(`the keys were answered with ${answer.statusCode}`);
    return new Response(await readSmall(answer as AsyncIterable<Uint8Array>));
  } finally {
    request.destroy();
  }
}

/** Looks a name up, and fails if one of its addresses is not allowed. */
const lookUpWhere =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      const [first] = found;
      if (error) callback(error, []);
      else if (!found.every(({ address }) => isAllowed(address))) callback(refusedAddress(), []);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };

async function readSmall(parts: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
    read.push(part);
  }
  return Buffer.concat(read);
}

const refusedAddress = () =>
  new AppError(
    'idp_unavailable',
    'the identity provider names an address of its keys that is not accepted: expected a public https address; an operator can name the address of the keys in IDP_ISSUERS',
    { details: { part: 'idp' } },
  );
