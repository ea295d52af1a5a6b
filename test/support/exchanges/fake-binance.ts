import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { FakeAccount } from './fake-account.js';
import { answerSigned } from './fake-binance-account.js';
import { answerPublic, type FakeMarketState, type FakePair, type Kline } from './fake-binance-market.js';
import { listenLocally } from '../servers/listen-locally.js';

/**
 * How a request fails: a status with optional headers and a JSON body or a page, no answer, the usual answer but
 * not before a promise resolves, an answer that stops within its body, a page that is
 * no JSON, or a reset connection.
 */
export type Fault =
  | { status: number; retryAfter?: string; headers?: Record<string, string>; body?: object; page?: string }
  | { hang: true }
  | { until: Promise<unknown> }
  | { stall: true }
  | { text: string }
  | { reset: true };

/** A request that the exchange received. */
export interface Asked {
  path: string;
  symbol: string | null;
  startTime: number | null;
  limit: number | null;
  /** When it arrived, in ms of `performance.now()`. */
  at: number;
  status: number;
}

/**
 * An HTTP server with the format of Binance's spot API v3: public data (exchangeInfo, klines, ticker/24hr, ping, time) of
 * given candles, and signed data (account, myTrades, apiRestrictions) of its accounts. Tests set its time and its faults.
 */
export class FakeBinance implements FakeMarketState {
  url = '';
  /** Added to the time of this machine, in ms. */
  offsetMs = 0;
  /** How far its own clock is ahead of `now`. */
  aheadMs = 0;
  asked: Asked[] = [];
  /** By API key. */
  readonly accounts = new Map<string, FakeAccount>();
  /** The fault of a request; undefined: the request is served. */
  fault: (request: {
    path: string;
    symbol: string | null;
    startTime: number | null;
    apiKey: string | null;
  }) => Fault | undefined = () => undefined;
  /** Changes the rows of klines before they are sent. */
  changeRows: (rows: Kline[], symbol: string) => Kline[] = (rows) => rows;
  /** Open times, by symbol, that are left out of klines. */
  readonly missing = new Map<string, Set<number>>();
  readonly pairs: Map<string, FakePair>;
  #server: Server | undefined;
  #stoppedAt: number | null = null;

  private constructor(pairs: readonly FakePair[]) {
    this.pairs = new Map(pairs.map((pair) => [pair.base + pair.quote, pair]));
  }

  static async open(pairs: readonly FakePair[]): Promise<FakeBinance> {
    const exchange = new FakeBinance(pairs);
    await exchange.listen();
    return exchange;
  }

  /** The time of its clients in ms. */
  now = (): number => this.#stoppedAt ?? Date.now() + this.offsetMs;

  /** Its own time in ms. */
  get time(): number {
    return this.now() + this.aheadMs;
  }

  /** Sets the time of the clients, which then stands still. */
  stopTime(timeMs: number): void {
    this.#stoppedAt = timeMs;
  }

  /** Sets the time of the clients, which then runs on. */
  setTime(timeMs: number): void {
    this.#stoppedAt = null;
    this.offsetMs = timeMs - Date.now();
  }

  async listen(): Promise<void> {
    const port = this.url === '' ? 0 : Number(new URL(this.url).port);
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.url = await listenLocally(this.#server, port);
  }

  /** Refuses connections until `listen` is called. */
  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    this.#server = undefined;
  }

  /** The requests for klines. */
  get klines(): Asked[] {
    return this.asked.filter(({ path }) => path === '/api/v3/klines');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://exchange');
    const number = (name: string) => (searchParams.has(name) ? Number(searchParams.get(name)) : null);
    const symbol = searchParams.get('symbol');
    const asked = { path: pathname, symbol, startTime: number('startTime'), limit: number('limit') };
    const apiKey = (request.headers['x-mbx-apikey'] as string | undefined) ?? null;
    const fault = this.fault({ ...asked, apiKey });
    const entry: Asked = { ...asked, at: performance.now(), status: 200 };
    this.asked.push(entry);
    response.sendDate = false;
    response.setHeader('Date', new Date(this.time).toUTCString());
    if (fault && 'until' in fault) return void fault.until.then(() => this.#serve(request, entry, response));
    if (fault) return this.#fail(fault, entry, response);
    this.#serve(request, entry, response);
  }

  #serve(request: IncomingMessage, entry: Asked, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://exchange');
    const signed = answerSigned(request, this.accounts, this.time);
    if (signed) {
      entry.status = signed.status;
      return send(response, signed.status, JSON.stringify(signed.body));
    }
    const found = answerPublic(pathname, searchParams, this);
    entry.status = found === null ? 404 : 'code' in (found as object) ? 400 : 200;
    send(response, entry.status, JSON.stringify(found ?? {}));
  }

  #fail(fault: Exclude<Fault, { until: Promise<unknown> }>, entry: Asked, response: ServerResponse): void {
    if ('hang' in fault) return;
    if ('stall' in fault) return void response.writeHead(200, { 'Content-Length': 100 }).write('[[1,');
    if ('reset' in fault) return void response.destroy();
    if ('text' in fault) return send(response, 200, fault.text, 'text/html');
    entry.status = fault.status;
    if (fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter);
    for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value);
    if (fault.page !== undefined) return send(response, fault.status, fault.page, 'text/html');
    const body = fault.body ?? {
      code: -1003,
      msg: 'Too much request weight used; please use WebSocket Streams.',
    };
    send(response, fault.status, fault.status < 500 ? JSON.stringify(body) : '<html>Bad Gateway</html>');
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'Content-Type': type });
  response.end(body);
}
