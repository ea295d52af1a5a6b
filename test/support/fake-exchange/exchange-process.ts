import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExchangeControl, type ControlName } from './control.js';
import type { DialectName } from './dialects.js';

const program = fileURLToPath(new URL('fake-exchange-main.js', import.meta.url));

type Ask = (name: ControlName, given: unknown[]) => Promise<unknown>;

/** Every method of the control, done in another process. */
type RemoteControl = {
  [Name in ControlName]: (
    ...given: Parameters<ExchangeControl[Name]>
  ) => Promise<ReturnType<ExchangeControl[Name]>>;
};

const Remote = function (this: RemoteControl, ask: Ask) {
  for (const name of Object.getOwnPropertyNames(ExchangeControl.prototype) as ControlName[])
    this[name] = ((...given: unknown[]) => ask(name, given)) as never;
} as unknown as new (ask: Ask) => RemoteControl;

/** The fake exchange as a process of its own, which a test steers. */
export class ExchangeProcess extends Remote {
  /** Where a client finds it, as `GuardedExchangeOptions.url`. */
  url = '';
  readonly #folder: string;
  /** Which exchange it is. */
  readonly dialect: DialectName;
  #process: ChildProcess | undefined;
  /** Resolves when the process has ended, by whomever. */
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, dialect: DialectName) {
    super((name, given) => this.#ask(name, given));
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

  async #ask(name: ControlName, given: unknown[]): Promise<unknown> {
    const answer = await fetch(`${this.url}/control/${name}`, {
      method: 'POST',
      body: JSON.stringify(given),
    });
    const json: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the exchange refused "${name}": ${JSON.stringify(json)}`);
    return json;
  }
}
