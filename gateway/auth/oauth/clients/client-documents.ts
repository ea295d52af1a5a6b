import type { Redis } from 'ioredis';
import { AppError } from '../../../../compute/model/errors.js';
import { AttemptLimit } from '../../../limits/attempt-limit.js';
import { fetchPublic, PrivateAddressError } from '../../fetch-public.js';
import { readMetadataDocument, type PublishedClient } from './read-metadata-document.js';
import { boundedCache } from '../../../../storage/process/bounded-cache.js';
import { SharedCalls } from '../../../../storage/process/shared-calls.js';

const longestUrl = 500;

/** Whether a client id has the form of an address, of a document that describes the client. */
export const isUrlClientId = (clientId: string): boolean => /^[a-z][a-z\d+.-]*:[/\\]/i.test(clientId);

/**
 * What is wrong with a client id as the address of a Client ID Metadata Document; null if it is valid. It must have a path, and the
 * form in which a URL parser writes it, so that two texts never mean one client.
 */
export function metadataUrlFault(clientId: string): string | null {
  if (clientId.length > longestUrl) return `is longer than ${longestUrl} characters`;
  if (!URL.canParse(clientId)) return 'is not a URL';
  const { protocol, username, password, pathname, search, hash, href } = new URL(clientId);
  if (protocol !== 'https:') return 'is not an https address';
  if (username !== '' || password !== '') return 'has user info';
  if (hash !== '' || clientId.includes('#')) return 'has a fragment';
  if (search !== '' || clientId.includes('?')) return 'has a query';
  if (pathname === '/') return 'has no path';
  if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(clientId.replace(/^[^/]*\/\/[^/]*/, ''))) return 'has dot segments';
  if (href !== clientId) return 'has an unusual form';
  return null;
}

const mostBytes = 5 * 1024;
const timeoutMs = 5_000;
const mostRemembered = 5_000;
const minuteMs = 60_000;
/** How long a refusal counts before the document is fetched again. */
const refusedMs = minuteMs;
const shortestMs = 5 * minuteMs;
const longestMs = 24 * 60 * minuteMs;

/** How long a fetched document is kept, by its Cache-Control: from 5 minutes, to limit fetches, to a day. */
export function documentLifetimeMs(cacheControl: string | null): number {
  const found = /(?:^|[\s,])(?:s-maxage|max-age)\s*=\s*"?(\d{1,10})/i.exec(cacheControl ?? '');
  const given = found ? Number(found[1]) * 1_000 : shortestMs;
  const isFresh = !/no-(?:store|cache)/i.test(cacheControl ?? '');
  return isFresh ? Math.min(longestMs, Math.max(shortestMs, given)) : shortestMs;
}

const perTenMinutes = { windowMs: 10 * minuteMs, firstDelayMs: minuteMs, longestDelayMs: 10 * minuteMs };
/** Documents that are fetched for one network, and from one host, in ten minutes. */
const fetchesOfNetwork = 20;
const fetchesFromHost = 300;

export interface ClientDocumentsOptions {
  /** Which addresses may be fetched from; by default those of the public internet. */
  isAllowed?: (address: string) => boolean;
  now?: () => number;
}

interface Remembered {
  client: PublishedClient | AppError;
  untilMs: number;
  /** Whether the document was accepted at least once. */
  wasGood: boolean;
}

/**
 * Clients that publish a document at their client id (Client ID Metadata Documents). Documents are kept as long as their headers
 * allow, and refusals for a minute. Fetches are limited by the network of the caller and by the host, over all gateways, so that
 * the service can't be used to flood a host with requests. Documents that were accepted before do not count against their host:
 * otherwise others could use up its limit with made-up addresses and lock its clients out.
 */
export class ClientDocuments {
  readonly #remembered = boundedCache<Remembered>(mostRemembered);
  readonly #fetches = new SharedCalls<PublishedClient>();
  readonly #ofNetwork: AttemptLimit;
  readonly #fromHost: AttemptLimit;
  readonly #options: ClientDocumentsOptions;

  /** `redis` is a connection with a short time limit. */
  constructor(redis: Redis, options: ClientDocumentsOptions = {}) {
    const message = 'too many apps that are described by documents';
    this.#ofNetwork = new AttemptLimit(redis, { ...perTenMinutes, limit: fetchesOfNetwork }, message);
    this.#fromHost = new AttemptLimit(redis, { ...perTenMinutes, limit: fetchesFromHost }, message);
    this.#options = options;
  }

  /** The client at that address. Throws `invalid_input` for an address or document that is refused, and `rate_limited`. See `isUnreachable`. */
  async find(clientId: string, network: string): Promise<PublishedClient> {
    const fault = metadataUrlFault(clientId);
    if (fault !== null) throw refused(`the client_id ${fault}`);
    const known = this.#remembered.get(clientId);
    if (known && known.untilMs > this.#now()) {
      if (known.client instanceof AppError) throw known.client;
      return known.client;
    }
    const wasGood = known?.wasGood === true;
    if (!this.#fetches.isRunning(clientId)) await this.#count(clientId, network, wasGood);
    return this.#fetches.run(clientId, () => this.#fetch(clientId, wasGood));
  }

  async #count(clientId: string, network: string, wasGood: boolean): Promise<void> {
    const { host } = new URL(clientId);
    await this.#ofNetwork.count(`client-document:network:${network}`);
    if (!wasGood) await this.#fromHost.count(`client-document:host:${host}`);
  }

  async #fetch(clientId: string, wasGood: boolean): Promise<PublishedClient> {
    try {
      const answer = await fetchPublic(clientId, {
        headers: { Accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
        mostBytes,
        isAllowed: this.#options.isAllowed,
      });
      checkType(answer.headers.get('content-type') ?? '');
      const client = readMetadataDocument(clientId, await answer.text());
      const lifetimeMs = documentLifetimeMs(answer.headers.get('cache-control'));
      this.#remembered.set(clientId, { client, untilMs: this.#now() + lifetimeMs, wasGood: true });
      return client;
    } catch (error) {
      const refusal = refused(`the document at the client_id is not accepted: ${reasonOf(error)}`, error);
      this.#remembered.set(clientId, { client: refusal, untilMs: this.#now() + refusedMs, wasGood });
      throw refusal;
    }
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function checkType(type: string): void {
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) throw new Error('its Content-Type is not JSON');
}

/** What is wrong, without revealing which addresses this service can reach or what other hosts answer. */
function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddressError) return 'it is not at a public https address';
  const { name, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return 'it did not come in time';
  return (error as NodeJS.ErrnoException).code === undefined ? message : 'its host can not be reached';
}

/** Errors of a host to which this service can make no connection, for example without internet access. */
const unreachable: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

/** Whether a client is refused only because the host of its document can't be reached. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof AppError && unreachable.has((error.cause as NodeJS.ErrnoException | undefined)?.code);

const refused = (message: string, cause?: unknown) =>
  new AppError('invalid_input', `${message} (invalid_client)`, { details: { field: 'client_id' }, cause });
