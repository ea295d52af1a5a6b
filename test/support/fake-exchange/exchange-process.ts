import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExchangeCommand } from './book/exchange-command.js';
import type { DialectName } from './dialects.js';
import type { ExchangeLedger } from './exchange-ledger.js';
import type { RequestLine } from './exchange-state.js';
import type { SocketFaults, SocketLine } from './sockets/exchange-sockets.js';
import type { SocketKind, SocketTrade } from './sockets/socket-dialect.js';
import type { StreamFaults, StreamLine } from './streams/private-streams.js';
import type { FaultScriptTerms } from './fault-script.js';

const program = fileURLToPath(new URL('fake-exchange-main.js', import.meta.url));

/** The fake exchange as a process of its own, which a test steers. */
export class ExchangeProcess {
  /** Where a client finds it, as `GuardedExchangeOptions.url`. */
  url = '';
  readonly #folder: string;
  /** Which exchange it is. */
  readonly dialect: DialectName;
  #process: ChildProcess | undefined;
  /** Resolves when the process has ended, by whomever. */
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, dialect: DialectName) {
    this.#folder = folder;
    this.dialect = dialect;
  }

  static async start(dialect: DialectName = 'binance'): Promise<ExchangeProcess> {
    const exchange = new ExchangeProcess(await mkdtemp(join(tmpdir(), 'tidemark-exchange-')), dialect);
    await exchange.restart();
    return exchange;
  }

  /** Kills it, and starts it again with its book, on its port. Faults are gone. */
  async restart(): Promise<void> {
    await this.kill();
    const port = this.url === '' ? '0' : new URL(this.url).port;
    this.#process = fork(program, [this.#folder, port, this.dialect], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#process, 'exit');
    [this.url] = (await once(this.#process, 'message')) as [string];
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#ended;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async apply(...commands: ExchangeCommand[]): Promise<void> {
    await this.#ask('commands', { commands });
  }

  /** Sets the price of a symbol in every market. `quantity`: how much trades at it; null: all. */
  price(symbol: string, price: string, quantity: string | null = null): Promise<void> {
    return this.apply({ type: 'price', symbol, price, quantity });
  }

  /** Replaces the faults. */
  async faults(terms: FaultScriptTerms): Promise<void> {
    await this.#ask('faults', terms);
  }

  /** Sets how far its clock is ahead. */
  async clock(aheadMs: number): Promise<void> {
    await this.#ask('clock', { aheadMs });
  }

  async maintenance(ms: number): Promise<void> {
    await this.#ask('maintenance', { ms });
  }

  /** Lets lists show each trade so long after it was made. */
  async lateTrades(ms: number): Promise<void> {
    await this.#ask('late trades', { ms });
  }

  /** Stops the trading of a symbol, or lets it go on. */
  halt(symbol: string, isHalted = true): Promise<void> {
    return this.apply({ type: 'halt', symbol, isHalted });
  }

  /** Lets the limits of the exchange hold from now on, with nothing used yet, or not. */
  async limits(isOn: boolean): Promise<void> {
    await this.#ask('limits', { dialect: isOn ? this.dialect : null });
  }

  /** Names the process that faults kill or stop. */
  async client(pid: number | null): Promise<void> {
    await this.#ask('client', { pid });
  }

  async ledger(apiKeys?: readonly string[]): Promise<ExchangeLedger> {
    return (await this.#ask('ledger', { apiKeys })) as ExchangeLedger;
  }

  /** The requests that it received, without the first `skip`. */
  async requests(skip = 0): Promise<RequestLine[]> {
    return (await this.#ask('requests', { skip })) as RequestLine[];
  }

  /** The websocket connections, and how many there have been. */
  async sockets(): Promise<{ lines: SocketLine[]; opened: number }> {
    return (await this.#ask('sockets', {})) as { lines: SocketLine[]; opened: number };
  }

  /** Replaces the faults of websockets. */
  async socketFaults(faults: SocketFaults): Promise<void> {
    await this.#ask('socket faults', faults);
  }

  /** Sends a text to every websocket of a kind of market, once or several times. */
  async socketText(kind: SocketKind, text: string, times = 1): Promise<void> {
    await this.#ask('socket text', { kind, text, times });
  }

  /** Tells a trade by websocket alone. */
  async socketTrade(symbol: string, trade: Partial<SocketTrade>): Promise<void> {
    await this.#ask('socket trade', { symbol, ...trade });
  }

  /** Ends all websocket connections. */
  async cutSockets(): Promise<void> {
    await this.#ask('socket cut', {});
  }

  /** What private streams tell of now, and how many of their connections there have been. */
  async streams(): Promise<{ lines: StreamLine[]; opened: number }> {
    return (await this.#ask('streams', {})) as { lines: StreamLine[]; opened: number };
  }

  /** Replaces the faults of private streams. */
  async streamFaults(faults: StreamFaults): Promise<void> {
    await this.#ask('stream faults', faults);
  }

  /** Ends the private connections of an account, or all. */
  async cutStreams(apiKey?: string): Promise<void> {
    await this.#ask('stream cut', { apiKey });
  }

  /** Lets the listen keys and tokens of an account, or of all, expire. */
  async expireStreams(apiKey?: string): Promise<void> {
    await this.#ask('stream expire', { apiKey });
  }

  async #ask(control: string, body: object): Promise<unknown> {
    const answer = await fetch(`${this.url}/control/${control}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const json: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the exchange refused "${control}": ${JSON.stringify(json)}`);
    return json;
  }
}
