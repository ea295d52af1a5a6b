import type { ExchangeCommand } from './book/exchange-command.js';
import type { ExchangeDialect } from './exchange-dialect.js';
import { ledgerOf } from './exchange-ledger.js';
import type { ExchangeState } from './exchange-state.js';
import { FaultScript, type FaultScriptTerms } from './fault-script.js';
import { QuotaCounter } from './quotas/request-quota.js';
import type { ExchangeSockets, SocketFaults } from './sockets/exchange-sockets.js';
import type { SocketKind, SocketTrade } from './sockets/socket-dialect.js';
import type { PrivateStreams, StreamFaults } from './streams/private-streams.js';

/** What a test does to the exchange, and asks of it; also from another process, by the names of the methods. */
export class ExchangeControl {
  readonly #state: ExchangeState;
  readonly #dialect: ExchangeDialect;
  readonly #sockets: ExchangeSockets;
  readonly #streams: PrivateStreams;

  constructor(
    state: ExchangeState,
    dialect: ExchangeDialect,
    sockets: ExchangeSockets,
    streams: PrivateStreams,
  ) {
    this.#state = state;
    this.#dialect = dialect;
    this.#sockets = sockets;
    this.#streams = streams;
  }

  /** Does commands one after the other. */
  apply(...commands: ExchangeCommand[]): void {
    for (const command of commands) this.#state.apply(command);
  }

  /** Sets the price of a symbol in every market. `quantity`: how much trades at it; null: all. */
  price(symbol: string, price: string, quantity: string | null = null): void {
    this.apply({ type: 'price', symbol, price, quantity });
  }

  /** Stops the trading of a symbol, or lets it go on. */
  halt(symbol: string, isHalted = true): void {
    this.apply({ type: 'halt', symbol, isHalted });
  }

  /** Replaces the faults. */
  faults(terms: FaultScriptTerms): void {
    this.#state.faults = new FaultScript(terms);
  }

  /** Sets how far its clock is ahead. */
  clock(aheadMs: number): void {
    this.#state.aheadMs = aheadMs;
  }

  maintenance(ms: number): void {
    this.#state.maintenanceUntil = this.#state.nowMs + ms;
  }

  /** Lets lists show each trade so long after it was made. */
  lateTrades(ms: number): void {
    this.#state.tradesLateMs = ms;
  }

  /** Lets the limits of the exchange hold from now on, with nothing used yet, or not. */
  limits(isOn: boolean): void {
    this.#state.quotas = isOn ? new QuotaCounter(this.#dialect.quotas) : null;
  }

  /** Names the process that faults kill or stop. */
  client(pid: number | null): void {
    this.#state.clientPid = pid;
  }

  ledger(apiKeys?: readonly string[]) {
    return ledgerOf(this.#state.engine, apiKeys);
  }

  /** The requests that it received, without the first `skip`. */
  requests(skip = 0) {
    return this.#state.requests.slice(skip);
  }

  /** The websocket connections, and how many there have been. */
  sockets() {
    const { lines, opened } = this.#sockets;
    return { lines, opened };
  }

  /** Replaces the faults of websockets. */
  socketFaults(faults: SocketFaults): void {
    this.#sockets.faults = faults;
  }

  /** Sends a text to every websocket of a kind of market, once or several times. */
  socketText(kind: SocketKind, text: string, times = 1): void {
    for (let n = 0; n < times; n++) this.#sockets.send(kind, text);
  }

  /** Tells a trade by websocket alone. */
  socketTrade(symbol: string, trade: Partial<SocketTrade>): void {
    this.#sockets.trade(symbol, trade);
  }

  /** Ends all websocket connections. */
  cutSockets(): void {
    this.#sockets.cut();
  }

  /** What private streams tell of now, and how many of their connections there have been. */
  streams() {
    const { lines, opened } = this.#streams;
    return { lines, opened };
  }

  /** Replaces the faults of private streams. */
  streamFaults(faults: StreamFaults): void {
    this.#streams.faults = faults;
  }

  /** Ends the private connections of an account, or all. */
  cutStreams(...apiKeys: string[]): void {
    this.#streams.cut(...apiKeys);
  }

  /** Lets the listen keys and tokens of an account, or of all, expire. */
  expireStreams(...apiKeys: string[]): void {
    this.#streams.expire(...apiKeys);
  }
}

export type ControlName = keyof ExchangeControl;
