import { RoleChild } from '../process/role-child.js';
import { MongoProxy, type WriteVerdict } from '../servers/mongo-proxy.js';

/** What happens to a worker at one of its writes. */
export type WriteAccident =
  /** `kill -9` before the write has left, or once it has. */
  | { kind: 'kill'; isWritten: boolean }
  /** It is stopped for a time; the write leaves when it wakes. */
  | { kind: 'stop'; ms: number };

/** The role `signals` in a process of its own, behind a way to MongoDB on which its writes are counted. */
export class SignalsWorker {
  /** Accidents that have happened. */
  accidents = 0;
  readonly #env: Record<string, string>;
  #proxy: MongoProxy | undefined;
  #role: RoleChild | undefined;
  #accident: WriteAccident | null = null;
  #left = 0;
  #woken: (() => void) | undefined;

  private constructor(env: Record<string, string>) {
    this.#env = env;
  }

  static async start(mongodbUrl: string, env: Record<string, string>): Promise<SignalsWorker> {
    const worker = new SignalsWorker(env);
    worker.#proxy = await MongoProxy.open(mongodbUrl, () => worker.#onWrite());
    await worker.restart();
    return worker;
  }

  get pid(): number {
    return this.#role!.process.pid!;
  }

  get log(): string {
    return this.#role?.log ?? '';
  }

  /** How it ended by itself, with the end of its log; null while it runs. */
  get crash(): string | null {
    const { exitCode, signalCode } = this.#role!.process;
    const how = exitCode ?? signalCode;
    return how === null ? null : `ended with ${how}: ${this.log.slice(-2_000)}`;
  }

  /** Starts it again after its end. */
  async restart(): Promise<void> {
    this.#proxy!.mend();
    this.#role = await RoleChild.start('signals', { ...this.#env, MONGODB_URL: this.#proxy!.url });
  }

  /** Arms an accident at the write after so many others, and resolves when it has happened or after `withinMs`. */
  async accident(accident: WriteAccident, after: number, withinMs: number): Promise<boolean> {
    const before = this.accidents;
    [this.#accident, this.#left] = [accident, after];
    const limit = performance.now() + withinMs;
    while (this.accidents === before && performance.now() < limit)
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
        setTimeout(resolve, 50);
      });
    this.#accident = null;
    if (this.accidents === before) return false;
    if (accident.kind === 'kill') await this.#role!.exited;
    return true;
  }

  /** Resolves with whether it has ended within a time. */
  async ended(withinMs: number): Promise<boolean> {
    const late = new Promise<null>((resolve) => setTimeout(resolve, withinMs, null));
    return (await Promise.race([this.#role!.exited, late])) !== null;
  }

  /** Ends it as the service does. */
  async stop(): Promise<void> {
    await this.#role!.stop();
  }

  async close(): Promise<void> {
    await this.#role?.kill();
    await this.#proxy?.close();
  }

  #onWrite(): WriteVerdict | Promise<WriteVerdict> {
    if (!this.#accident || this.#left-- > 0) return 'pass';
    const accident = this.#accident;
    this.#accident = null;
    this.accidents++;
    this.#woken?.();
    const { process } = this.#role!;
    if (accident.kind === 'stop') {
      process.kill('SIGSTOP');
      return new Promise((resolve) =>
        setTimeout(() => {
          process.kill('SIGCONT');
          resolve('pass');
        }, accident.ms),
      );
    }
    if (!accident.isWritten) {
      process.kill('SIGKILL');
      return 'cut';
    }
    // The write goes to the socket in this turn of the event loop, and the kill follows.
    setImmediate(() => process.kill('SIGKILL'));
    return 'pass';
  }
}
