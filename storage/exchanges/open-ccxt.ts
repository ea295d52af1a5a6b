import type { Exchange } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';
import { ccxtFolder } from './exchange-ids.js';

/** An answer of an exchange, as it matters to whoever plans the next request. */
export interface ExchangeAnswer {
  status: number;
  /** The exchange's clock in ms, to the second; null if it did not tell. */
  dateMs: number | null;
  /** How long it wants to be left alone; null if it did not tell. */
  retryAfterMs: number | null;
}

/** What proves to an exchange who asks. */
export interface ExchangeKey {
  apiKey: string;
  secret: string;
  /** Some exchanges ask for one more word. */
  passphrase: string | null;
}

export interface CcxtOptions {
  id: string;
  /** Whose account is asked about; absent where nobody's is. */
  key?: ExchangeKey;
  /** Takes the place of the exchange's own address, if not empty. */
  url: string;
  /** The longest a request may take, from the first byte sent to the last one read. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called before each request with its cost in ccxt's units; the request is sent when it resolves. */
  beforeRequest: (cost: number) => Promise<void>;
  afterAnswer: (answer: ExchangeAnswer) => Promise<void>;
}

export interface OpenedCcxt {
  exchange: Exchange;
  /** Whether an error says that this request was wrong, rather than that the exchange does not serve. */
  isRefusal: (error: unknown) => boolean;
  /** Why the owner of a key was not answered. */
  reasonOf: (error: unknown) => RefusalReason | 'failure';
}

/** The key is not accepted, the time of the request is not, or anything else about it is not. */
export type RefusalReason = 'key' | 'clock' | 'request';

type Errors = Record<
  | 'ArgumentsRequired'
  | 'AuthenticationError'
  | 'BadRequest'
  | 'BaseError'
  | 'InvalidNonce'
  | 'NetworkError'
  | 'NotSupported',
  new () => Error
>;

/**
 * The exchange as ccxt speaks to it, spot market only. Loads this one exchange: the whole of ccxt takes seconds and
 * 80 MB. Throws `invalid_settings` when it has no 1h candles.
 */
export async function openCcxt(options: CcxtOptions): Promise<OpenedCcxt> {
  const { id, url, key } = options;
  const load = (file: string) => import(new URL(file, ccxtFolder()).href) as Promise<unknown>;
  const [{ default: ExchangeClass }, errors] = (await Promise.all([
    load(`${id}.js`),
    load('base/errors.js'),
  ])) as [{ default: new (config: object) => Exchange }, Errors];
  const exchange = new ExchangeClass({
    // ccxt's own limiter knows one process alone: `throttle` takes its place.
    enableRateLimit: true,
    timeout: options.timeoutMs,
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
    ...(key && { apiKey: key.apiKey, secret: key.secret, password: key.passphrase ?? '', number: String }),
  });
  if (!exchange.has.fetchOHLCV || exchange.timeframes?.['1h'] === undefined) {
    throw new AppError('invalid_settings', `settings: MARKET is "${id}", which serves no 1h candles`);
  }
  exchange.throttle = options.beforeRequest as typeof exchange.throttle;
  exchange.fetchImplementation = fetchWhole(options);
  if (url !== '') replaceOrigins(exchange.urls, url);
  const refusals = [errors.BadRequest, errors.NotSupported, errors.ArgumentsRequired];
  return {
    exchange,
    isRefusal: (error) =>
      refusals.some((each) => error instanceof each) || !(error instanceof errors.BaseError),
    reasonOf: (error) => {
      // A time that is not accepted counts as a fault of the network there.
      if (error instanceof errors.InvalidNonce) return 'clock';
      if (error instanceof errors.AuthenticationError) return 'key';
      return error instanceof errors.NetworkError ? 'failure' : 'request';
    },
  };
}

/** `fetch` with one time limit for the answer and its body: ccxt's own ends with the first byte. */
const fetchWhole =
  ({ timeoutMs, signal, afterAnswer }: CcxtOptions) =>
  async (url: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const answer = await fetch(url, {
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: limit,
    });
    const { status, statusText } = answer;
    const bytes = await answer.arrayBuffer();
    await afterAnswer({
      status,
      dateMs: timeOf(answer.headers.get('date')),
      retryAfterMs: waitOf(answer.headers.get('retry-after')),
    });
    const hasBody = bytes.byteLength > 0;
    return new Response(hasBody ? bytes : null, { status, statusText, headers: answer.headers });
  };

const timeOf = (date: string | null): number | null => {
  const timeMs = Date.parse(date ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
};

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function waitOf(text: string | null): number | null {
  if (text !== null && /^\d+(\.\d+)?$/.test(text.trim())) return Number(text) * 1000;
  const timeMs = timeOf(text);
  return timeMs === null ? null : Math.max(0, timeMs - Date.now());
}

/** Puts `url` in the place of every origin in the tree. */
function replaceOrigins(tree: Record<string, unknown>, url: string): void {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') tree[key] = value.replace(/^https?:\/\/[^/]+/, url.replace(/\/+$/, ''));
    else if (typeof value === 'object' && value !== null)
      replaceOrigins(value as Record<string, unknown>, url);
  }
}
