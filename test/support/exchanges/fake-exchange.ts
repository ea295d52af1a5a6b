import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { FakeAccount } from './fake-account.js';
import { listenLocally } from '../servers/listen-locally.js';

/** A request as the format of an exchange reads it. */
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

/** What an exchange has, whatever the form in which it tells of it. */
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

/** How an exchange answers. */
export interface ExchangeFormat {
  /** Its name for a pair. */
  symbolOf: (base: string, quote: string) => string;
  /** The path on which trades of an account of some kind are asked for. */
  tradesPath: (kind?: string) => string;
  /** By path, what it tells anybody. */
  open: Readonly<Record<string, (state: FakeState) => FakeAnswer>>;
  /** By path, what it tells of an account. */
  signed: Readonly<Record<string, SignedAnswer>>;
  /** The account whose key signed a request, or why it is refused. */
  signedBy: (request: FakeRequest, state: FakeState) => FakeAccount | FakeAnswer;
  /** A refusal because there are too many requests. */
  tooMany: FakeAnswer;
}

/** A local server that speaks the format of an exchange. */
export class FakeExchange implements FakeState {
  url = '';
  readonly format: ExchangeFormat;
  readonly pairs: FakeState['pairs'];
  readonly accounts = new Map<string, FakeAccount>();
  asked: FakeRequest[] = [];
  /** How far its clock is ahead. */
  aheadMs = 0;
  changeRows: FakeState['changeRows'] = (rows) => rows;
  /** Answers in the place of the exchange; undefined: it answers itself. */
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

/** The longest span of time for which exchanges list trades at once. */
export const weekMs = 7 * 86_400_000;

/** Sum of two decimals of up to ten places. */
export const addUp = (left: string, right: string): string => (Number(left) + Number(right)).toFixed(10);

/** The trades of a pair in a span of time, the newest first, as exchanges list them that are asked by time. */
export function tradesBetween(
  { trades }: FakeAccount,
  symbol: string | null,
  [fromMs, untilMs]: [number, number],
): (FakeAccount['trades'][number] & { id: number; time: number })[] {
  return trades
    .map((trade, id) => ({ ...trade, id, time: trade.time ?? 0 }))
    .filter((trade) => trade.symbol === symbol && trade.time >= fromMs && trade.time <= untilMs)
    .sort((left, right) => right.time - left.time);
}
