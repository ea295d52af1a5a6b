import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import type { StreamTrade, VenueStream } from '../../venue-stream.js';

/** The longest time in which the exchange takes a request, with its wait for a turn. */
const answerMs = 10_000;
/** The most messages of a second: a connection that sends more is closed, so that it leaves time for other work. */
const mostMessages = 20_000;
/** Messages that were not asked for, after which a connection is closed. */
const mostOdd = 100;

export interface TradeSocketOptions {
  /** A client of ccxt.pro for this connection alone, with markets. */
  client: Exchange;
  stream: VenueStream;
  onTrades: (trades: readonly StreamTrade[]) => void;
  /** Called once, when the connection has ended. */
  onEnd: (reason: string) => void;
  answerMs?: number;
}

/** A request that was sent and not answered yet. */
interface SocketRequest {
  settle: (isTaken: boolean) => void;
}

/**
 * One websocket connection that follows the trades of markets. ccxt connects, keeps it alive and writes requests; what the
 * exchange sends is read here, so that nothing of it is kept.
 */
export class TradeSocket {
  readonly #options: TradeSocketOptions;
  readonly #passOn: Exchange['handleMessage'];
  /** When (ms) the exchange confirmed each symbol. */
  readonly #streamed = new Map<string, number>();
  /** Symbols that the exchange refused by themselves. */
  readonly #refused = new Set<string>();
  /** Symbols that were refused together with others. */
  readonly #doubtful: ReadonlySet<string>;
  #wanted: ReadonlySet<string> = new Set();
  #request: SocketRequest | null = null;
  #isBusy = false;
  #isEnded = false;
  #odd = 0;
  #second = { atMs: 0, messages: 0 };

  /** `doubtful`: symbols that are asked for one by one. */
  constructor(options: TradeSocketOptions, doubtful: ReadonlySet<string>) {
    this.#options = options;
    this.#doubtful = doubtful;
    const { client } = options;
    this.#passOn = client.handleMessage.bind(client);
    Object.assign(client, {
      handleMessage: (connection: unknown, message: unknown) => this.#take(connection, message),
      onError: (_: unknown, error: unknown) => this.end(messageOf(error)),
      onClose: () => this.end('the exchange closed the connection'),
      // A connection that was made ready before does not know these.
      clients: {},
      // One request goes out at a time. ccxt's own limit sends without looking at the result: a connection that closes meanwhile
      // would end the process.
      enableRateLimit: false,
    });
  }

  /** Since when (ms) the trades of a symbol are streamed; null: they are not. */
  streamedSince(symbol: string): number | null {
    return this.#streamed.get(symbol) ?? null;
  }

  /** Symbols that the exchange refused by themselves. */
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
    // A connection whose other end is gone would take half a minute to close.
    for (const each of Object.values((client.clients ?? {}) as Record<string, Connection>))
      each.connection?.terminate();
    client.close().catch(() => undefined);
    onEnd(reason);
  }

  /** One request after the other, as long as there is something to ask for. */
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
      if (isTaken) for (const symbol of added) this.#streamed.set(symbol, Date.now());
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

  /** The symbols of the next request: doubtful ones alone. */
  #toAdd(): string[] {
    const missing = [...this.#wanted].filter(
      (symbol) => !this.#streamed.has(symbol) && !this.#refused.has(symbol),
    );
    const sure = missing.filter((symbol) => !this.#doubtful.has(symbol));
    return sure.length > 0 ? sure.slice(0, this.#options.stream.atOnce.follow) : missing.slice(0, 1);
  }

  /** ccxt asks for a symbol once: after a refusal of several at once, each needs a connection that has not asked for it. */
  #noteRefusal(symbols: readonly string[]): void {
    for (const symbol of symbols) this.#refused.add(symbol);
    if (symbols.length > 1) this.end(`the exchange refused ${symbols.length} subscriptions at once`);
  }

  /** Whether the exchange took a request. One that it does not answer ends the connection. */
  async #ask(send: () => Promise<unknown>): Promise<boolean> {
    const { answerMs: longestMs = answerMs } = this.#options;
    const waiting = new AbortController();
    const answered = new Promise<boolean>((settle) => {
      this.#request = { settle };
    });
    // It stays open until the connection ends: trades do not pass through ccxt.
    send().catch((error: unknown) => this.#noteFailure(error));
    const late = pause(longestMs, null, { signal: waiting.signal }).catch(() => null);
    const isTaken = await Promise.race([answered, late]);
    waiting.abort();
    this.#request = null;
    if (isTaken === null) this.end('the exchange did not answer a subscription');
    return isTaken ?? false;
  }

  /** ccxt could not send a request. It also throws for requests of which the exchange says that they have ended. */
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
    // A refusal would end all that ccxt waits for.
    if (read === 'upkeep' || read.isTaken) this.#passOn(connection, message);
    if (read !== 'upkeep') this.#request?.settle(read.isTaken);
  }

  #isTooMany(): boolean {
    const now = Date.now();
    if (now - this.#second.atMs >= 1_000) this.#second = { atMs: now, messages: 0 };
    return ++this.#second.messages > mostMessages;
  }
}

/** The websocket behind a connection of ccxt. */
interface Connection {
  connection?: { terminate(): void };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
