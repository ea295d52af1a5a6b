import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../compute/model/errors.js';
import type { RoleEvent, RoleMessage } from '../../storage/process/role.js';

export interface RestartPauseOptions {
  firstMs: number;
  longestMs: number;
  /** A process that was ready for this long counts as healthy. */
  healthyMs: number;
}

const defaultPauses: RestartPauseOptions = { firstMs: 1_000, longestMs: 60_000, healthyMs: 60_000 };

/** The pauses before a process is restarted: each twice as long as the one before, until it was healthy in between. */
export class RestartPause {
  readonly #options: RestartPauseOptions;
  #restarts = 0;
  #readyAt = Infinity;

  constructor(options = defaultPauses) {
    this.#options = options;
  }

  noteReady(): void {
    this.#readyAt = performance.now();
  }

  /** The process has ended: the pause before its restart, in ms. */
  next(): number {
    const { firstMs, longestMs, healthyMs } = this.#options;
    if (performance.now() - this.#readyAt >= healthyMs) this.#restarts = 0;
    this.#readyAt = Infinity;
    return Math.min(longestMs, firstMs * 2 ** this.#restarts++);
  }
}

export interface RoleProcessOptions {
  role: string;
  /** The module to run, and its arguments. */
  module: URL;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How long the process may take to end after SIGTERM; SIGKILL follows. */
  stopMs: number;
  report: (line: string, event?: RoleEvent) => void;
  /** The pauses before restarts. */
  pause?: RestartPause;
}

/** A started process. `ended` resolves with its exit code, its signal, or the reason why it could not be started. */
interface Started {
  child: ChildProcess;
  ended: Promise<string>;
}

/** Runs one role in a process of its own and restarts it when it dies, after a longer pause each time. */
export class RoleProcess {
  readonly #options: RoleProcessOptions;
  readonly #pause: RestartPause;
  #started: Started | undefined;
  #restarting: NodeJS.Timeout | undefined;
  #stopping = false;
  #facts: Record<string, string> = {};

  constructor(options: RoleProcessOptions) {
    this.#options = options;
    this.#pause = options.pause ?? new RestartPause();
  }

  /** What the role has reported when it became ready, such as its address. */
  get facts(): Readonly<Record<string, string>> {
    return this.#facts;
  }

  /** Resolves when the process is ready. Throws `unexpected` if it cannot be started or ends before. */
  async start(): Promise<void> {
    const started = this.#spawn();
    this.#started = started;
    let isReady = false;
    await new Promise<void>((resolve, reject) => {
      started.child.on('message', (message: RoleMessage) => {
        if (message.type === 'report') return this.#options.report(message.line, message.event);
        this.#facts = message.facts;
        isReady = true;
        this.#pause.noteReady();
        resolve();
      });
      void started.ended.then((how) => {
        const { role } = this.#options;
        if (isReady) this.#restart(`${role} ended (${how})`);
        else reject(new AppError('unexpected', `${role} did not start: ${how}`));
      });
    });
  }

  /** Stops the process: SIGTERM, and SIGKILL when its time is over. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restarting);
    if (!this.#started) return;
    const { child, ended } = this.#started;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#options.stopMs);
    await ended;
    clearTimeout(timer);
  }

  #spawn(): Started {
    const { module, args, env } = this.#options;
    // A process group of its own: Ctrl-C reaches only the parent, which stops the roles in order.
    const child = fork(fileURLToPath(module), args, {
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      // A process that could not be started has no exit. Other errors, as of a signal that cannot be sent, end nothing.
      child.on('error', (error) => child.pid === undefined && resolve(error.message));
    });
    return { child, ended };
  }

  #restart(event: string): void {
    if (this.#stopping) return;
    const { role, report } = this.#options;
    const pauseMs = this.#pause.next();
    report(`${event}; restarting it in ${pauseMs / 1_000} s`);
    this.#restarting = setTimeout(() => {
      // Without memory or file descriptors `fork` throws an error of its own.
      const event = (error: Error) =>
        error instanceof AppError ? error.message : `${role}: ${error.message}`;
      this.start().catch((error: Error) => this.#restart(event(error)));
    }, pauseMs);
  }
}
