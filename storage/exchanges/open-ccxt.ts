import { setImmediate } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';
import { ccxtFolder } from './exchange-ids.js';
import { fetchWhole, type FetchWholeOptions } from './fetch-whole.js';
import type { CcxtRequest } from './request-limit.js';

/** The API key of a user. */
export interface ExchangeKey {
  apiKey: string;
  secret: string;
  /** Null where the keys of the exchange have no passphrase. */
  passphrase: string | null;
}

export interface CcxtOptions extends FetchWholeOptions {
  id: string;
  /** The key that signs requests for an account; absent for public data. */
  key?: ExchangeKey;
  /** The kinds of markets to load, in ccxt's words. Default: spot only. */
  marketTypes?: readonly string[];
  /** Whether numbers stay text as the exchange wrote them. Default: with a key only. */
  numbersAsText?: boolean;
  /** Whether the client can connect by websocket. Default: false. */
  hasSockets?: boolean;
  /** Replaces the exchange's own address, if not empty. Websocket addresses keep their host as the first part of the path. */
  url: string;
  /** Calls `send` when a request may be sent. Default: at once. */
  admit?: <T>(request: CcxtRequest, send: () => Promise<T>) => Promise<T>;
}

export interface OpenedCcxt {
  exchange: Exchange;
  /** Whether an error means that the request was wrong, rather than that the exchange does not serve. */
  isRefusal: (error: unknown) => boolean;
}

type Errors = Record<'ArgumentsRequired' | 'BadRequest' | 'BaseError' | 'NotSupported', new () => Error>;

let lastTurn: Promise<unknown> = Promise.resolve();

/** To make a client takes 10 ms of this thread. Between two of them other work goes on, such as the orders of open accounts. */
const turn = (): Promise<unknown> => (lastTurn = lastTurn.then(() => setImmediate()));

/**
 * Opens a ccxt client for the spot market of an exchange. Loads this exchange's file only: all of ccxt takes seconds and
 * 80 MB. Throws `invalid_settings` when the exchange has no 1h candles.
 */
export async function openCcxt(options: CcxtOptions): Promise<OpenedCcxt> {
  const { id, url, key, marketTypes = ['spot'], numbersAsText = key !== undefined } = options;
  const { hasSockets = false } = options;
  const load = (file: string) => import(new URL(file, ccxtFolder()).href) as Promise<unknown>;
  const [{ default: ExchangeClass }, errors] = (await Promise.all([
    load(hasSockets ? `pro/${id}.js` : `${id}.js`),
    load('base/errors.js'),
  ])) as [{ default: new (config: object) => Exchange }, Errors];
  await turn();
  const exchange = new ExchangeClass({
    // For websockets. Requests are admitted by `admit`, because the limiter of ccxt knows only this process.
    enableRateLimit: true,
    timeout: options.timeoutMs,
    options: { defaultType: 'spot', fetchMarkets: { types: [...marketTypes] } },
    ...(key && { apiKey: key.apiKey, secret: key.secret, password: key.passphrase ?? '' }),
    ...(numbersAsText && { number: String }),
  });
  if (!exchange.has.fetchOHLCV || exchange.timeframes?.['1h'] === undefined) {
    throw new AppError(
      'invalid_settings',
      `settings: the exchange "${id}" of MARKET or EXCHANGES serves no 1h candles`,
    );
  }
  exchange.throttle = () => Promise.resolve();
  if (options.admit) admitRequests(exchange, options.admit);
  exchange.fetchImplementation = fetchWhole(options);
  if (url !== '') replaceOrigins(exchange.urls, url);
  if (hasSockets) await boundSockets(exchange);
  return { exchange, isRefusal: refusalsOf(errors) };
}

/** Requests wait before they are signed, because a signature is valid for a short time. */
function admitRequests(exchange: Exchange, admit: NonNullable<CcxtOptions['admit']>): void {
  const send = exchange.fetch2.bind(exchange) as (...args: unknown[]) => Promise<unknown>;
  exchange.fetch2 = (path, api = 'public', method = 'GET', params = {}, ...[headers, body, config = {}]) => {
    const cost = exchange.calculateRateLimiterCost(api, method, path, params, config) as number;
    const name = `${String(api)} ${method} ${String(path)}`;
    return admit({ name, cost, params: params as CcxtRequest['params'] }, () =>
      send(path, api, method, params, headers, body, config),
    );
  };
}

function refusalsOf(errors: Errors): OpenedCcxt['isRefusal'] {
  const refusals = [errors.BadRequest, errors.NotSupported, errors.ArgumentsRequired];
  return (error) => refusals.some((each) => error instanceof each) || !(error instanceof errors.BaseError);
}

/** The largest message that is read, in bytes. */
const longestMessage = 1_048_576;
const keepAliveMs = 10_000;

/** Limits the size of messages, and detects a dead connection within half a minute. */
async function boundSockets(exchange: Exchange): Promise<void> {
  const options = { maxPayload: longestMessage, perMessageDeflate: false };
  exchange.options.ws = { ...(exchange.options.ws as object), keepAlive: keepAliveMs, options };
  // ccxt writes messages that it cannot read to the console.
  Object.assign(exchange, { log: () => undefined });
  // ccxt needs the proxy agent for addresses without TLS.
  await exchange.loadHttpProxyAgent();
}

/** Replaces the origin of every address in the tree. */
function replaceOrigins(tree: Record<string, unknown>, url: string): void {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') tree[key] = replacedOrigin(value, url);
    else if (typeof value === 'object' && value !== null)
      replaceOrigins(value as Record<string, unknown>, url);
  }
}

/** An address at another origin. The host of a websocket address becomes the first part of its path, because it may name the market. */
export function replacedOrigin(address: string, url: string): string {
  const origin = url.replace(/\/+$/, '');
  return address
    .replace(/^https?:\/\/[^/]+/, origin)
    .replace(/^wss?:\/\//, `${origin.replace(/^http/, 'ws')}/`);
}
