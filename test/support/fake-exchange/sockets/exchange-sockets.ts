import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ExchangeCommand } from '../book/exchange-command.js';
import type { ExchangeState } from '../exchange-state.js';
import type { SocketDialect, SocketKind, SocketRequest, SocketTrade } from './socket-dialect.js';

/** What goes wrong with sockets. */
export interface SocketFaults {
  /** No trade is told; requests and pings are answered. */
  isSilent?: boolean;
  /** New connections are refused. */
  isClosed?: boolean;
  /** Requests are not answered. */
  isDeaf?: boolean;
  /** Topics that are refused. */
  refused?: readonly string[];
  /** By how much (ms) the times of trades are wrong. */
  aheadMs?: number;
}

/** A connection as a test sees it. */
export interface SocketLine {
  kind: SocketKind;
  topics: readonly string[];
}

interface OpenSocket {
  kind: SocketKind;
  socket: WebSocket;
  topics: Set<string>;
}

const longestMessage = 100_000;

/** The websockets of the exchange: each price of the book is told as a trade. */
export class ExchangeSockets {
  faults: SocketFaults = {};
  /** How many connections there have been. */
  opened = 0;
  readonly #dialect: SocketDialect;
  readonly #state: ExchangeState;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: longestMessage });
  readonly #open = new Set<OpenSocket>();
  #trades = 0;

  /** `isOther`: whether a path belongs to other sockets. */
  constructor(
    state: ExchangeState,
    dialect: SocketDialect,
    server: Server,
    isOther: (path: string) => boolean,
  ) {
    this.#state = state;
    this.#dialect = dialect;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (!isOther(request.url ?? '/')) this.#upgrade(request, socket, head);
    });
    state.onCommand((command) => this.#tell(command));
  }

  get lines(): SocketLine[] {
    return [...this.#open].map(({ kind, topics }) => ({ kind, topics: [...topics] }));
  }

  /** Sends a text to every connection of a kind. */
  send(kind: SocketKind, text: string): void {
    for (const each of this.#open) if (each.kind === kind) each.socket.send(text);
  }

  /** Tells a trade to every connection that follows its market, whatever its price and time are. */
  trade(symbol: string, trade: Partial<SocketTrade>): void {
    const { aheadMs = 0 } = this.faults;
    const pair = this.#state.engine.pairOf(symbol);
    const whole = {
      id: String(++this.#trades),
      price: '1',
      quantity: '1',
      at: Math.floor(this.#state.nowMs) + aheadMs,
      ...trade,
    };
    for (const { kind, socket, topics } of this.#open)
      if (topics.has(this.#dialect.topicOf(pair, kind)))
        socket.send(JSON.stringify(this.#dialect.trade(pair, kind, whole)));
  }

  /** Ends all connections without a word. */
  cut(): void {
    for (const { socket } of this.#open) socket.terminate();
  }

  #tell(command: ExchangeCommand): void {
    if (command.type !== 'price' || this.faults.isSilent) return;
    const { symbol, price, quantity } = command;
    this.trade(symbol, { price, quantity: quantity ?? '1' });
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const kind = this.#dialect.kindOf(request.url ?? '/');
    if (kind === null || this.faults.isClosed) return void socket.destroy();
    this.#server.handleUpgrade(request, socket, head, (opened) => this.#add(opened, kind));
  }

  #add(socket: WebSocket, kind: SocketKind): void {
    const open: OpenSocket = { kind, socket, topics: new Set() };
    this.#open.add(open);
    this.opened++;
    socket.on('close', () => this.#open.delete(open));
    socket.on('message', (data: Buffer) =>
      this.#answer(open, JSON.parse(String(data)) as Record<string, unknown>),
    );
    if (this.#dialect.welcome) socket.send(JSON.stringify(this.#dialect.welcome));
  }

  #answer(open: OpenSocket, message: Record<string, unknown>): void {
    const request = this.faults.isDeaf ? null : this.#dialect.request(message);
    if (request) open.socket.send(JSON.stringify(this.#do(open, request)));
  }

  #do({ topics }: OpenSocket, { follow = [], leave = [], taken, refused }: SocketRequest): object {
    if (follow.some((topic) => this.faults.refused?.includes(topic))) return refused;
    for (const topic of follow) topics.add(topic);
    for (const topic of leave) topics.delete(topic);
    return taken;
  }
}
