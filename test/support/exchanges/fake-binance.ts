import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { candleColumns, type Candles } from '../../../compute/model/candles.js';
import type { FakeAccount } from './fake-account.js';
import { answerSigned } from './fake-binance-account.js';
import { listenLocally } from '../servers/listen-locally.js';

const hourMs = 3_600_000;

/**
 * How a request fails: a status with an optional Retry-After, silence, silence in the middle of the body, a page that is
 * no JSON, or a lost connection.
 */
export type Fault =
  | { status: number; retryAfter?: string; body?: object }
  | { hang: true }
  | { stall: true }
  | { text: string }
  | { reset: true };

export interface FakePair {
  base: string;
  quote: string;
  candles: Candles;
  status?: string;
  /** Traded in 24 h, in the quote currency. */
  turnover?: number;
}

export interface Asked {
  path: string;
  symbol: string | null;
  startTime: number | null;
  limit: number | null;
  /** When it came, in ms of `performance.now()`. */
  at: number;
  status: number;
}

/** A row of klines as the exchange writes it: numbers of ms, prices as text. */
export type Kline = (number | string)[];

/**
 * An HTTP server that speaks the format of Binance's spot API v3 (exchangeInfo, klines, ticker/24hr, ping, time) over
 * given candles, at a time that can be moved, and can be told to fail as exchanges do. Of its accounts it answers what is
 * signed with their keys (account, myTrades, apiRestrictions).
 */
export class FakeBinance {
  url = '';
  /** Added to the time of this machine, in ms. */
  offsetMs = 0;
  /** How far its own clock is ahead of the one it hands out as `now`. */
  aheadMs = 0;
  asked: Asked[] = [];
  /** By API key. */
  readonly accounts = new Map<string, FakeAccount>();
  /** Decides about each request; undefined: it is served. */
  fault: (request: { path: string; symbol: string | null; startTime: number | null }) => Fault | undefined =
    () => undefined;
  /** Changes the rows of an answer before they are sent. */
  changeRows: (rows: Kline[], symbol: string) => Kline[] = (rows) => rows;
  /** Open times, by symbol, that are not served. */
  readonly missing = new Map<string, Set<number>>();
  readonly #pairs: Map<string, FakePair>;
  #server: Server | undefined;

  private constructor(pairs: readonly FakePair[]) {
    this.#pairs = new Map(pairs.map((pair) => [pair.base + pair.quote, pair]));
  }

  static async open(pairs: readonly FakePair[]): Promise<FakeBinance> {
    const exchange = new FakeBinance(pairs);
    await exchange.listen();
    return exchange;
  }

  /** The time of whoever asks it, in ms. */
  now = (): number => Date.now() + this.offsetMs;

  /** Its own time in ms. */
  get time(): number {
    return this.now() + this.aheadMs;
  }

  /** Sets the time, which then runs on. */
  setTime(timeMs: number): void {
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

  /** What was asked of klines. */
  get klines(): Asked[] {
    return this.asked.filter(({ path }) => path === '/api/v3/klines');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://exchange');
    const number = (name: string) => (searchParams.has(name) ? Number(searchParams.get(name)) : null);
    const symbol = searchParams.get('symbol');
    const asked = { path: pathname, symbol, startTime: number('startTime'), limit: number('limit') };
    const fault = this.fault(asked);
    const entry: Asked = { ...asked, at: performance.now(), status: 200 };
    this.asked.push(entry);
    response.sendDate = false;
    response.setHeader('Date', new Date(this.time).toUTCString());
    if (fault) return this.#fail(fault, entry, response);
    const signed = answerSigned(request, this.accounts, this.time);
    if (signed) {
      entry.status = signed.status;
      return send(response, signed.status, JSON.stringify(signed.body));
    }
    const found = this.#find(pathname, searchParams);
    entry.status = found === null ? 404 : 'code' in (found as object) ? 400 : 200;
    send(response, entry.status, JSON.stringify(found ?? {}));
  }

  #fail(fault: Fault, entry: Asked, response: ServerResponse): void {
    if ('hang' in fault) return;
    if ('stall' in fault) return void response.writeHead(200, { 'Content-Length': 100 }).write('[[1,');
    if ('reset' in fault) return void response.destroy();
    if ('text' in fault) return send(response, 200, fault.text, 'text/html');
    entry.status = fault.status;
    if (fault.retryAfter !== undefined) response.setHeader('Retry-After', fault.retryAfter);
    const body = fault.body ?? {
      code: -1003,
      msg: 'Too much request weight used; please use WebSocket Streams.',
    };
    send(response, fault.status, fault.status < 500 ? JSON.stringify(body) : '<html>Bad Gateway</html>');
  }

  #find(path: string, query: URLSearchParams): unknown {
    switch (path) {
      case '/api/v3/ping':
        return {};
      case '/api/v3/time':
        return { serverTime: this.time };
      case '/api/v3/exchangeInfo':
        return {
          timezone: 'UTC',
          serverTime: this.time,
          symbols: [...this.#pairs.values()].map(describePair),
        };
      case '/api/v3/klines':
        return this.#klines(query);
      case '/api/v3/ticker/24hr':
        return this.#tickers(query);
      default:
        return null;
    }
  }

  #klines(query: URLSearchParams): unknown {
    const symbol = query.get('symbol') ?? '';
    const pair = this.#pairs.get(symbol);
    if (!pair) return { code: -1121, msg: 'Invalid symbol.' };
    const startMs = Number(query.get('startTime') ?? 0);
    const limit = Math.min(1_000, Number(query.get('limit') ?? 500));
    const left = this.missing.get(symbol);
    const rows: Kline[] = [];
    const { time } = pair.candles;
    for (let i = 0; i < time.length && rows.length < limit; i++) {
      if (time[i] < startMs || time[i] > this.time || left?.has(time[i])) continue;
      rows.push(klineOf(pair.candles, i, this.time));
    }
    return this.changeRows(rows, symbol);
  }

  #tickers(query: URLSearchParams): unknown {
    const symbols = query.has('symbols')
      ? (JSON.parse(query.get('symbols')!) as string[])
      : [...this.#pairs.keys()];
    if (symbols.some((symbol) => !this.#pairs.has(symbol))) return { code: -1121, msg: 'Invalid symbol.' };
    return symbols.map((symbol) => tickerOf(symbol, this.#pairs.get(symbol)!, this.time));
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'Content-Type': type });
  response.end(body);
}

/** The price within the hour that is under way: what the hour that is not over shows as its close. */
function unfinishedClose(candles: Candles, i: number): number {
  return (candles.high[i] + candles.low[i]) / 2;
}

function klineOf(candles: Candles, i: number, nowMs: number): Kline {
  const [time, open, high, low, close, volume] = candleColumns.map((column) => candles[column][i]);
  const over = time + hourMs <= nowMs;
  const values = [open, high, low, over ? close : unfinishedClose(candles, i), over ? volume : volume / 2];
  return [time, ...values.map(String), time + hourMs - 1, '0', 10, '0', '0', '0'];
}

function describePair({ base, quote, status = 'TRADING' }: FakePair): object {
  return {
    symbol: base + quote,
    status,
    baseAsset: base,
    baseAssetPrecision: 8,
    quoteAsset: quote,
    quotePrecision: 8,
    quoteAssetPrecision: 8,
    orderTypes: ['LIMIT', 'MARKET'],
    icebergAllowed: true,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: [
      { filterType: 'PRICE_FILTER', minPrice: '0.00000001', maxPrice: '1000000', tickSize: '0.00000001' },
      { filterType: 'LOT_SIZE', minQty: '0.00001', maxQty: '9000', stepSize: '0.00001' },
    ],
    permissions: [],
    permissionSets: [['SPOT']],
  };
}

function tickerOf(symbol: string, { candles, turnover = 1 }: FakePair, nowMs: number): object {
  const { time, close } = candles;
  let i = 0;
  while (i + 1 < time.length && time[i + 1] <= nowMs) i++;
  const price = unfinishedClose(candles, i);
  const before = close[Math.max(0, i - 24)];
  return {
    symbol,
    priceChange: String(price - before),
    priceChangePercent: ((price / before - 1) * 100).toFixed(3),
    weightedAvgPrice: String(price),
    prevClosePrice: String(before),
    lastPrice: String(price),
    lastQty: '1',
    bidPrice: String(price),
    askPrice: String(price),
    openPrice: String(before),
    highPrice: String(price),
    lowPrice: String(price),
    volume: '1',
    quoteVolume: String(turnover),
    openTime: nowMs - 24 * hourMs,
    closeTime: Math.floor(nowMs),
    firstId: 1,
    lastId: 2,
    count: 1,
  };
}
