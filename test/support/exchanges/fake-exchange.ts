import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { FakeAccount } from './fake-account.js';
import { listenLocally } from '../servers/listen-locally.js';

/** A request to a fake exchange. */
export interface FakeRequest {
  path: string;
  /** Path and query as they were sent. */
  target: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

export interface FakeAnswer {
  status: number;
  body: unknown;
}

/** The data of an exchange, in no format. */
export interface FakeState {
  /** Pairs that are traded, with their price. */
  pairs: readonly { base: string; quote: string; price: string }[];
  /** By API key. */
  accounts: ReadonlyMap<string, FakeAccount>;
  nowMs: number;
  /** Changes the rows of trades before they are sent. */
  changeRows: (rows: Record<string, unknown>[]) => unknown[];
}

export type SignedAnswer = (account: FakeAccount, query: URLSearchParams, state: FakeState) => FakeAnswer;

/** The HTTP format of an exchange. */
export interface ExchangeFormat {
  /** Its name for a pair. */
  symbolOf: (base: string, quote: string) => string;
  /** The path that lists the trades of an account of this kind. */
  tradesPath: (kind?: string) => string;
  /** The fields of its trades, by meaning; several where kinds of accounts differ. */
  tradeFields: Readonly<Record<'quantity' | 'price' | 'id' | 'time' | 'fee', readonly string[]>>;
  /** Public answers by path. */
  open: Readonly<Record<string, (state: FakeState) => FakeAnswer>>;
  /** Answers about an account by path. */
  signed: Readonly<Record<string, SignedAnswer>>;
  /** The account whose key signed the request, or the refusal. */
  signedBy: (request: FakeRequest, state: FakeState) => FakeAccount | FakeAnswer;
  /** The refusal of too many requests. */
  tooMany: FakeAnswer;
}

/** A local server that speaks the format of an exchange. */
export class FakeExchange implements FakeState {
  url = '';
  readonly format: ExchangeFormat;
  readonly pairs: FakeState['pairs'];
  readonly accounts = new Map<string, FakeAccount>();
  asked: FakeRequest[] = [];
  /** How far its clock is ahead of this machine's. */
  aheadMs = 0;
  changeRows: FakeState['changeRows'] = (rows) => rows;
  /** An answer that replaces the exchange's own; undefined: the exchange answers. */
  fault: (request: FakeRequest) => FakeAnswer | undefined = () => undefined;
  #server: Server | undefined;

  private constructor(format: ExchangeFormat, pairs: FakeState['pairs']) {
    this.format = format;
    this.pairs = pairs;
  }

  static async open(format: ExchangeFormat, pairs: FakeState['pairs']): Promise<FakeExchange> {
    const exchange = new FakeExchange(format, pairs);
    await exchange.#listen();
    return exchange;
  }

  get nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #answer(request: FakeRequest): FakeAnswer {
    const { path, query } = request;
    const { open, signed, signedBy } = this.format;
    if (Object.hasOwn(open, path)) return open[path](this);
    if (!Object.hasOwn(signed, path)) return { status: 404, body: { path } };
    const account = signedBy(request, this);
    return 'status' in account ? account : signed[path](account, query, this);
  }

  async #listen(): Promise<void> {
    this.#server = createServer((message, response) => {
      const target = message.url ?? '/';
      const { pathname: path, searchParams: query } = new URL(target, 'http://exchange');
      const request = { path, target, query, headers: message.headers };
      this.asked.push(request);
      const { status, body } = this.fault(request) ?? this.#answer(request);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
    this.url = await listenLocally(this.#server);
  }
}

/** The longest span of time for which Bybit and KuCoin list trades in one request. */
export const weekMs = 7 * 86_400_000;

/** Sum of two decimals of up to ten places. */
export const addUp = (left: string, right: string): string => (Number(left) + Number(right)).toFixed(10);

/** The trades of a pair in a span of time, the newest first. */
export function tradesBetween(
  { trades }: FakeAccount,
  symbol: string | null,
  [fromMs, untilMs]: [number, number],
): (FakeAccount['trades'][number] & { id: number; time: number })[] {
  return trades
    .map((trade, id) => ({ ...trade, id, time: trade.time ?? 0 }))
    .filter((trade) => trade.symbol === symbol && trade.time >= fromMs && trade.time <= untilMs)
    .sort((left, right) => right.time - left.time || right.id - left.id);
}
