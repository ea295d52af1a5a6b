import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { BookOrder } from '../book/book-order.js';
import type { ExchangeCommand } from '../book/exchange-command.js';
import type { ExchangeState } from '../exchange-state.js';
import type { AccountChange, PrivateConnection, PrivateDialect, PrivateTools } from './private-dialect.js';
import { streamKeysOf } from './stream-keys.js';

/** What goes wrong with private streams. No exchange promises that an event comes once, in order, at once, or at all. */
export interface StreamFaults {
  /** How often each event is told. Default: 1. */
  times?: number;
  /** Of two events the later one is told first. */
  isReordered?: boolean;
  /** Every one of so many events is left out; 1: all. */
  skipEach?: number;
  lateMs?: number;
  /** New connections are refused. */
  isClosed?: boolean;
  /** Accounts of which nothing is streamed. */
  refused?: readonly string[];
}

interface OpenConnection extends PrivateConnection {
  socket: WebSocket;
}

/** A line as a test sees it. */
export interface StreamLine {
  apiKey: string;
  kinds: readonly string[];
}

const expiryMs = 250;

/** The private streams of the exchange: each change of an account is told to its lines. */
export class PrivateStreams {
  faults: StreamFaults = {};
  /** How many connections there have been. */
  opened = 0;
  readonly #dialect: PrivateDialect;
  readonly #state: ExchangeState;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<OpenConnection>();
  /** Orders that may change, with what was told of them. */
  readonly #known = new Map<BookOrder, { trades: number; status: string }>();
  #seen = 0;
  #events = 0;
  #held: (() => void) | null = null;

  constructor(state: ExchangeState, dialect: PrivateDialect, server: Server) {
    this.#state = state;
    this.#dialect = dialect;
    this.#seen = state.engine.orders.length;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    state.onCommand((command) => this.#after(command));
    setInterval(() => this.#endExpired(), expiryMs).unref();
  }

  get lines(): StreamLine[] {
    return [...this.#connections].flatMap(({ lines }) =>
      [...lines.values()].map(({ apiKey, kinds }) => ({ apiKey, kinds })),
    );
  }

  /** Whether a path is one of private streams. */
  has(path: string): boolean {
    return this.#dialect.open(path, this.#tools) !== null;
  }

  /** Ends the connections of accounts, or all, without a word. */
  cut(...apiKeys: string[]): void {
    for (const { socket, lines } of this.#connections)
      if (apiKeys.length === 0 || [...lines.values()].some((line) => apiKeys.includes(line.apiKey)))
        socket.terminate();
  }

  /** Lets the keys and tokens of accounts, or of all, expire now. */
  expire(...apiKeys: string[]): void {
    streamKeysOf(this.#state.engine).expire(apiKeys);
    this.#endExpired();
  }

  get #tools(): PrivateTools {
    const { engine } = this.#state;
    const isRefused = (apiKey: string) => this.faults.refused?.includes(apiKey) ?? false;
    return { engine, keys: streamKeysOf(engine), nowMs: this.#state.nowMs, isRefused };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const connection = this.#dialect.open(request.url ?? '/', this.#tools);
    if (connection === null) return;
    if (connection === 'refused' || this.faults.isClosed) return void socket.destroy();
    this.#server.handleUpgrade(request, socket, head, (opened) => {
      const open = { ...connection, socket: opened };
      this.#connections.add(open);
      this.opened++;
      opened.on('close', () => this.#connections.delete(open));
      opened.on('message', (data: Buffer) => {
        const message = JSON.parse(String(data)) as Record<string, unknown>;
        const answer = this.#dialect.answer(message, open, this.#tools);
        if (answer) opened.send(JSON.stringify(answer));
      });
      if (this.#dialect.welcome) opened.send(JSON.stringify(this.#dialect.welcome));
    });
  }

  #after(command: ExchangeCommand): void {
    const { orders } = this.#state.engine;
    for (; this.#seen < orders.length; this.#seen++)
      this.#known.set(orders[this.#seen], { trades: 0, status: '' });
    for (const [order, told] of this.#known) this.#tellOrder(order, told);
    if (command.type !== 'deposit' && command.type !== 'transfer') return;
    const { apiKey, asset, kind } = command;
    this.#tell(apiKey, { kind, asset, isByOrder: false });
    if (command.type === 'transfer') this.#tell(apiKey, { kind: 'spot', asset, isByOrder: false });
  }

  #tellOrder(order: BookOrder, told: { trades: number; status: string }): void {
    const { status, trades, isWorking, request } = order;
    const isNew = told.status === '';
    const now = `${status} ${isWorking}`;
    const isTraded = told.trades < trades.length;
    if (!isTraded && told.status === now) return;
    if (isNew && request.type !== 'MARKET') this.#tell(request.account, { order, trade: null });
    for (const trade of trades.slice(told.trades)) this.#tell(request.account, { order, trade });
    if (!isNew && !isTraded) this.#tell(request.account, { order, trade: null });
    Object.assign(told, { trades: trades.length, status: now });
    if (!order.isOpen) this.#known.delete(order);
    // A trade of the past may be of a pair that is listed no longer.
    const pair = this.#state.engine.pairs.get(request.symbol);
    if (!pair) return;
    const { base, quote } = pair;
    for (const asset of isTraded ? [base, quote] : [request.side === 'BUY' ? quote : base])
      this.#tell(request.account, { kind: request.kind, asset, isByOrder: true });
  }

  #tell(apiKey: string, change: AccountChange): void {
    const tools = this.#tools;
    for (const { socket, lines } of this.#connections)
      for (const [name, line] of lines) {
        if (line.apiKey !== apiKey) continue;
        for (const message of this.#dialect.tell(change, line, tools))
          this.#send(socket, this.#dialect.wrap?.(message, name) ?? message);
      }
  }

  #send(socket: WebSocket, message: object): void {
    const { times = 1, isReordered, skipEach = 0, lateMs = 0 } = this.faults;
    this.#events++;
    if (skipEach > 0 && this.#events % skipEach === 0) return;
    const send = () => {
      for (let n = 0; n < times; n++) socket.send(JSON.stringify(message));
    };
    const sendInTime = () => (lateMs > 0 ? void setTimeout(send, lateMs) : send());
    if (!isReordered) return sendInTime();
    const held = this.#held;
    this.#held = held ? null : sendInTime;
    if (!held) return;
    sendInTime();
    held();
  }

  #endExpired(): void {
    const { keys, nowMs } = this.#tools;
    for (const { lines, socket } of this.#connections)
      for (const [name, line] of lines) {
        if (line.token === null || keys.accountOf(line.token, nowMs)) continue;
        lines.delete(name);
        const message = this.#dialect.expired?.(line, nowMs);
        if (message) socket.send(JSON.stringify(this.#dialect.wrap?.(message, name) ?? message));
      }
  }
}
