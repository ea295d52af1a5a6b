import type { Exchange } from 'ccxt';
import { pairName, type PairSymbols } from '../../../../compute/model/market-pair.js';
import type { PairTrade, TradeStream } from '../../trading-venue.js';
import type { StreamAccount, StreamTrade, VenueStream } from '../../venue-stream.js';
import { marketSymbol } from '../market-rules.js';
import { reconnectDelayMs } from './reconnect-delay.js';
import { TradeSocket } from './trade-socket.js';

/** A pair is followed for this long after it was last named, because executions that need it come and go. */
const lingerMs = 60_000;
/** A connection that lasted this long does not count as a failure. */
const stableMs = 60_000;
/** How long a symbol is not streamed after the exchange refused it or its trades were missed `mostMissed` times. */
const leftOutMs = 3_600_000;
/** How often the trades of a symbol are missed within `leftOutMs` before it is left out. */
const mostMissed = 2;

export interface LiveTradeStreamOptions {
  account: StreamAccount;
  stream: VenueStream;
  /** A new client of ccxt.pro with markets. */
  connect: () => Promise<Exchange>;
  onTrades: (trades: readonly PairTrade[]) => void;
  /** Called with the reason when a connection ends or does not come about. */
  onEnd: (reason: string) => void;
  now?: () => number;
  random?: () => number;
  /** The longest time before the first connection after one that ended. Default: 1 s. */
  reconnectMs?: number;
  answerMs?: number;
}

/**
 * The trades of one market of an exchange, over one connection. Call `follow` regularly: it connects, and after a
 * connection has ended it connects again as soon as the delay is over.
 */
export class LiveTradeStream implements TradeStream {
  readonly #options: LiveTradeStreamOptions;
  readonly #now: () => number;
  /** When each pair was named last, by symbol. */
  readonly #named = new Map<string, { pair: PairSymbols; atMs: number }>();
  /** The pairs of the markets that are followed, by the exchange's name. */
  #byId = new Map<string, PairSymbols>();
  readonly #leftOutUntil = new Map<string, number>();
  /** When the trades of each symbol were missed. */
  readonly #missed = new Map<string, number[]>();
  #doubtful = new Set<string>();
  #client: Exchange | null = null;
  #socket: TradeSocket | null = null;
  #isConnecting = false;
  #isClosed = false;
  #connectedMs = 0;
  #notBeforeMs = 0;
  #failures = 0;

  constructor(options: LiveTradeStreamOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  follow(pairs: readonly PairSymbols[]): void {
    const now = this.#now();
    const { account } = this.#options;
    for (const pair of pairs) this.#named.set(marketSymbol(pair, account), { pair, atMs: now });
    for (const [symbol, { atMs }] of this.#named) if (now - atMs > lingerMs) this.#named.delete(symbol);
    for (const [symbol, untilMs] of this.#leftOutUntil) if (now > untilMs) this.#leaveIn(symbol);
    if (this.#named.size === 0) this.#socket?.end('no pair is followed');
    else if (this.#socket) this.#tellSocket();
    else if (!this.#isConnecting && !this.#isClosed && now >= this.#notBeforeMs) void this.#connect();
  }

  streamedSince(pair: PairSymbols): number | null {
    return this.#socket?.streamedSince(marketSymbol(pair, this.#options.account)) ?? null;
  }

  replace(pairs: readonly PairSymbols[]): void {
    const now = this.#now();
    for (const pair of pairs) {
      const symbol = marketSymbol(pair, this.#options.account);
      const earlier = this.#missed.get(symbol) ?? [];
      const missed = [...earlier.filter((atMs) => now - atMs <= leftOutMs), now];
      this.#missed.set(symbol, missed);
      if (missed.length >= mostMissed) this.#leaveOut(symbol);
    }
    this.#socket?.end(`trades of ${pairs.map(pairName).join(', ')} were not streamed`);
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.end('it is not needed any more');
  }

  async #connect(): Promise<void> {
    this.#isConnecting = true;
    try {
      const client = await this.#options.connect();
      if (!this.#isClosed) this.#open(client);
    } catch (error) {
      this.#noteEnd(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isConnecting = false;
    }
  }

  #open(client: Exchange): void {
    const { stream, answerMs } = this.#options;
    this.#client = client;
    this.#connectedMs = this.#now();
    const socket = new TradeSocket(
      {
        client,
        stream,
        now: this.#now,
        ...(answerMs !== undefined && { answerMs }),
        onTrades: (trades) => this.#take(trades),
        onEnd: (reason) => this.#noteSocketEnd(socket, reason),
      },
      this.#doubtful,
    );
    this.#socket = socket;
    this.#tellSocket();
  }

  /** Tells the socket which markets to follow: those that the exchange lists, up to the limit of a connection. */
  #tellSocket(): void {
    const { account, stream } = this.#options;
    const markets = (this.#client!.markets ?? {}) as Record<string, { id?: string } | undefined>;
    const followed = [...this.#named]
      .filter(([symbol]) => markets[symbol]?.id !== undefined && !this.#leftOutUntil.has(symbol))
      .slice(0, stream.most[account]);
    this.#byId = new Map(followed.map(([symbol, { pair }]) => [markets[symbol]!.id!, pair]));
    this.#socket!.follow(new Set(followed.map(([symbol]) => symbol)));
  }

  #take(trades: readonly StreamTrade[]): void {
    const known = trades.flatMap(({ marketId, ...trade }): PairTrade[] => {
      const pair = this.#byId.get(marketId);
      return pair ? [{ pair, ...trade }] : [];
    });
    if (known.length > 0) this.#options.onTrades(known);
  }

  #noteSocketEnd({ refused }: TradeSocket, reason: string): void {
    this.#socket = null;
    this.#client = null;
    // Symbols that were refused together are requested one by one next; a symbol that was refused alone is left out.
    const first = [...refused].filter((symbol) => !this.#doubtful.has(symbol) && refused.size > 1);
    for (const symbol of refused) if (!first.includes(symbol)) this.#leaveOut(symbol);
    this.#doubtful = new Set([...this.#doubtful, ...first].filter((symbol) => this.#named.has(symbol)));
    this.#noteEnd(reason);
  }

  #noteEnd(reason: string): void {
    const now = this.#now();
    if (this.#connectedMs > 0 && now - this.#connectedMs >= stableMs) this.#failures = 0;
    const { random = Math.random, reconnectMs = 1_000 } = this.#options;
    this.#notBeforeMs = now + reconnectDelayMs(this.#failures++, reconnectMs, random());
    this.#connectedMs = 0;
    if (!this.#isClosed) this.#options.onEnd(reason);
  }

  #leaveOut(symbol: string): void {
    this.#leftOutUntil.set(symbol, this.#now() + leftOutMs);
  }

  #leaveIn(symbol: string): void {
    this.#leftOutUntil.delete(symbol);
    this.#missed.delete(symbol);
  }
}
