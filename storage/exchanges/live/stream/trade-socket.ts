import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import type { StreamTrade, VenueStream } from '../../venue-stream.js';

/** The longest time until the exchange accepts or refuses a subscription request. */
const answerMs = 10_000;
/** A connection that receives more messages in a second is closed, because it would leave no time for other work. */
const mostMessages = 20_000;
/** A connection that receives more messages of unknown kinds is closed. */
const mostOdd = 100;

export interface TradeSocketOptions {
  /** A client of ccxt.pro for this connection alone, with markets. */
  client: Exchange;
  stream: VenueStream;
  onTrades: (trades: readonly StreamTrade[]) => void;
  /** Called once, when the connection has ended. */
  onEnd: (reason: string) => void;
  answerMs?: number;
  /** The clock (ms). */
  now: () => number;
}

/** A request that was sent and not answered yet. */
interface SocketRequest {
  settle: (isTaken: boolean) => void;
}

/**
 * One websocket connection that follows the trades of markets. ccxt connects, keeps it alive and writes requests. Messages
 * of the exchange are read here, because ccxt would keep the trades in memory.
 */
export class TradeSocket {
  readonly #options: TradeSocketOptions;
  readonly #passOn: Exchange['handleMessage'];
  /** When (ms) the exchange confirmed each symbol. */
  readonly #streamed = new Map<string, number>();
  /** Symbols of refused requests. */
  readonly #refused = new Set<string>();
  /** Symbols that an earlier connection requested together with others when the exchange refused the request. */
  readonly #doubtful: ReadonlySet<string>;
  #wanted: ReadonlySet<string> = new Set();
  #request: SocketRequest | null = null;
  #isBusy = false;
  #isEnded = false;
  #odd = 0;
  #second = { atMs: 0, messages: 0 };

  /** `doubtful`: symbols that are requested one by one. */
  constructor(options: TradeSocketOptions, doubtful: ReadonlySet<string>) {
    this.#options = options;
    this.#doubtful = doubtful;
    const { client } = options;
    this.#passOn = client.handleMessage.bind(client);
    Object.assign(client, {
      handleMessage: (connection: unknown, message: unknown) => this.#take(connection, message),
      onError: (_: unknown, error: unknown) => this.end(messageOf(error)),
      onClose: () => this.end('the exchange closed the connection'),
      // A connection that was prepared before does not have these handlers.
      clients: {},
      // One request goes out at a time. ccxt's own limit sends without looking at the result: a connection that closes meanwhile
      // would end the process.
      enableRateLimit: false,
    });
  }

  /** Since when (ms) the trades of a symbol are streamed; null if they are not. */
  streamedSince(symbol: string): number | null {
    return this.#streamed.get(symbol) ?? null;
  }

  /** Symbols of refused requests; `LiveTradeStream` tells which of them were refused alone. */
  get refused(): ReadonlySet<string> {
    return this.#refused;
  }

  /** Follows these symbols, and no others. */
  follow(symbols: ReadonlySet<string>): void {
    this.#wanted = symbols;
    if (!this.#isBusy) void this.#askAll();
  }

  end(reason: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#streamed.clear();
    this.#request?.settle(false);
    const { client, onEnd } = this.#options;
    // Closing a connection whose other end does not respond would take half a minute.
    for (const each of Object.values((client.clients ?? {}) as Record<string, Connection>))
      each.connection?.terminate();
    client.close().catch(() => undefined);
    onEnd(reason);
  }

  /** Sends one request after the other until every wanted symbol is requested and every other is left. */
  async #askAll(): Promise<void> {
    this.#isBusy = true;
    while (!this.#isEnded && (await this.#askNext()));
    this.#isBusy = false;
  }

  async #askNext(): Promise<boolean> {
    const { client, stream } = this.#options;
    const added = this.#toAdd();
    if (added.length > 0) {
      const isTaken = await this.#ask(() =>
        client.watchTradesForSymbols(added, undefined, undefined, { ...stream.params }),
      );
      if (this.#isEnded) return false;
      if (isTaken) for (const symbol of added) this.#streamed.set(symbol, this.#options.now());
      else this.#noteRefusal(added);
      return true;
    }
    const left = [...this.#streamed.keys()]
      .filter((symbol) => !this.#wanted.has(symbol))
      .slice(0, stream.atOnce.leave);
    if (left.length === 0) return false;
    for (const symbol of left) this.#streamed.delete(symbol);
    const isTaken = await this.#ask(() => client.unWatchTradesForSymbols(left, { ...stream.params }));
    if (!isTaken) this.end('the exchange did not end a subscription');
    return true;
  }

  /** The symbols of the next request; a doubtful symbol is requested alone. */
  #toAdd(): string[] {
    const missing = [...this.#wanted].filter(
      (symbol) => !this.#streamed.has(symbol) && !this.#refused.has(symbol),
    );
    const sure = missing.filter((symbol) => !this.#doubtful.has(symbol));
    return sure.length > 0 ? sure.slice(0, this.#options.stream.atOnce.follow) : missing.slice(0, 1);
  }

  /** ccxt requests a symbol only once per connection. After a refusal of several symbols, each needs a new connection. */
  #noteRefusal(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#refused.add(symbol);
    if (symbols.length > 1) this.end(`the exchange refused ${symbols.length} subscriptions at once`);
  }

  /** Sends a request and returns whether the exchange accepted it. A request without an answer ends the connection. */
  async #ask(send: () => Promise<unknown>): Promise<boolean> {
    const { answerMs: longestMs = answerMs } = this.#options;
    const waiting = new AbortController();
    const answered = new Promise<boolean>((settle) => {
      this.#request = { settle };
    });
    // ccxt's promise is pending until the connection ends, because trades do not pass through ccxt.
    send().catch((error: unknown) => this.#noteFailure(error));
    const late = pause(longestMs, null, { signal: waiting.signal }).catch(() => null);
    const isTaken = await Promise.race([answered, late]);
    waiting.abort();
    this.#request = null;
    if (isTaken === null) this.end('the exchange did not answer a subscription');
    return isTaken ?? false;
  }

  /** Ends the connection when ccxt could not send a request. ccxt also throws when a subscription was ended on request. */
  #noteFailure(error: unknown): void {
    if (this.#isEnded || (error as Error).name === 'UnsubscribeError') return;
    this.end(messageOf(error));
  }

  #take(connection: unknown, message: unknown): void {
    if (this.#isEnded) return;
    if (this.#isTooMany())
      return this.end(`the exchange sent more than ${mostMessages} messages in a second`);
    const { stream, onTrades } = this.#options;
    const read = typeof message === 'object' && message !== null ? stream.read(message) : null;
    if (read === null) {
      if (++this.#odd > mostOdd) this.end('the exchange sent messages that were not asked for');
    } else if (read !== 'upkeep' && 'trades' in read) onTrades(read.trades);
    else this.#takeAnswer(connection, message, read);
  }

  #takeAnswer(connection: unknown, message: unknown, read: 'upkeep' | { isTaken: boolean }): void {
    // A refusal is not passed on: ccxt would reject all of its pending requests.
    if (read === 'upkeep' || read.isTaken) this.#passOn(connection, message);
    if (read !== 'upkeep') this.#request?.settle(read.isTaken);
  }

  #isTooMany(): boolean {
    const now = this.#options.now();
    if (now - this.#second.atMs >= 1_000) this.#second = { atMs: now, messages: 0 };
    return ++this.#second.messages > mostMessages;
  }
}

/** The websocket behind a connection of ccxt. */
interface Connection {
  connection?: { terminate(): void };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
