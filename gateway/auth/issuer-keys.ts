import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTVerifyGetKey,
} from 'jose';
import { AppError } from '../../compute/model/errors.js';
import { checkIssuerUrl, type IdpIssuer } from '../../storage/users/idp-issuers.js';
import { fetchPublic, PrivateAddressError, readSmall } from './fetch-public.js';

const mostBytes = 256 * 1024;

/** Fetches from an address that the operator has set. Reads at most 256 KiB, so that no issuer can fill the memory. */
async function fetchNamed(url: string, init: RequestInit): Promise<Response> {
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

/** A login waits at most this long for an issuer. */
const timeoutMs = 900;
/** A request to the issuer ends earlier, so that the next login does not join a failed request. */
const requestMs = 800;
/** After a failed request the issuer is not asked again for this long at most, or any token could make the gateway ask it. */
const mostPauseMs = 2_000;

/**
 * Finds the key of a token for `jose`. Keys are cached for 10 minutes and fetched again if a token names an unknown one, but
 * at most once in `cooldownMs`. A failed request is repeated after a short pause, and tokens that need its answer until then fail with it.
 * Throws `idp_unavailable` if the issuer does not answer in time.
 */
export function issuerKeys(idp: IdpIssuer, cooldownMs: number): JWTVerifyGetKey {
  const pauseMs = Math.min(cooldownMs, mostPauseMs);
  let opening: Promise<JWTVerifyGetKey> | undefined;
  let failedAt: number | null = null;
  const open = async () => {
    const url = new URL(idp.jwksUrl ?? (await discoverKeys(idp.issuer)));
    // An http issuer runs on this machine, for development, and its keys may be there too.
    const isNamed = idp.jwksUrl !== null || idp.issuer.startsWith('http:');
    return createRemoteJWKSet(url, {
      timeoutDuration: requestMs,
      cooldownDuration: cooldownMs,
      [customFetch]: pausedByFailure(isNamed ? fetchNamed : fetchIssuerKeys, pauseMs),
    });
  };
  const begin = () => {
    failedAt = null;
    const opened = open();
    opened.catch(() => (failedAt = performance.now()));
    return opened;
  };
  return async (header, token) => {
    const find = async () => {
      if (failedAt !== null && performance.now() - failedAt >= pauseMs) opening = undefined;
      opening ??= begin();
      return (await opening)(header, token);
    };
    try {
      return await inTime(find());
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) throw error;
      if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      if (error instanceof AppError) throw error;
      throw unavailable(idp, error);
    }
  };
}

/** Fetches keys. After a failure it fails for a while without asking again. */
function pausedByFailure(fetch: FetchImplementation, pauseMs: number): FetchImplementation {
  let failure: { error: unknown; at: number } | null = null;
  return async (url, options) => {
    if (failure && performance.now() - failure.at < pauseMs) throw failure.error;
    try {
      const answer = await fetch(url, options);
      if (answer.status !== 200) throw new Error(`the address of the keys answered ${answer.status}`);
      failure = null;
      return answer;
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    }
  };
}

/** The address of the issuer's keys, from its discovery document. */
async function discoverKeys(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const signal = AbortSignal.timeout(requestMs);
  const answer = await fetchNamed(url, { signal });
  if (answer.status !== 200) throw new Error(`discovery answered ${answer.status}`);
  const { issuer: named, jwks_uri: keys } = (await answer.json()) as Record<string, unknown>;
  if (named !== issuer) throw new Error('the discovery document belongs to another issuer');
  if (typeof keys !== 'string') throw new Error('the discovery document has no jwks_uri');
  checkIssuerUrl(keys);
  return keys;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const unavailable = ({ issuer }: IdpIssuer, cause: unknown) =>
  new AppError(
    'idp_unavailable',
    `the identity provider "${issuer}" does not answer; try again in a moment`,
    {
      details: { part: 'idp' },
      cause,
    },
  );
