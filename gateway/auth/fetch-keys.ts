import { AppError } from '../../compute/model/errors.js';
import { fetchPublic, PrivateAddressError } from './fetch-public.js';
import { readSmall } from './read-small.js';

const mostBytes = 256 * 1024;

/** Fetches from an address that the operator has set. Reads at most 256 KiB, so that no issuer can fill the memory. */
export async function fetchNamed(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, redirect: 'manual' });
  const body = await readSmall((answer.body ?? []) as AsyncIterable<Uint8Array>, mostBytes);
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** Fetches with `fetchPublic` from an https address that an issuer has named. Throws `idp_unavailable` for a refused address. */
export async function fetchIssuerKeys(
  url: string,
  { headers, signal }: RequestInit,
  isAllowed?: (address: string) => boolean,
): Promise<Response> {
  try {
    return await fetchPublic(url, { headers, signal: signal ?? undefined, mostBytes, isAllowed });
  } catch (error) {
    if (error instanceof PrivateAddressError) throw refusedAddress(error);
    throw error;
  }
}

const refusedAddress = (cause: PrivateAddressError) =>
  new AppError(
    'idp_unavailable',
    'the identity provider names an address of its keys that is not accepted: expected a public https address; an operator can set the address of the keys in IDP_ISSUERS',
    { details: { part: 'idp' }, cause },
  );
