import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../compute/model/errors.js';
import type { RoleEvent, RoleMessage } from '../../storage/process/role.js';

export interface RoleProcessOptions {
  role: string;
  /** The module to run, and its arguments. */
  module: URL;
  args: string[];
  env: NodeJS.ProcessEnv;
  report: (line: string, event?: RoleEvent) => void;
}

const restartMs = 1_000;
const longestStopMs = 5_000;

/** Runs one role in a process of its own and restarts it when it dies. */
export class RoleProcess {
  readonly #options: RoleProcessOptions;
  #child: ChildProcess | undefined;
  #stopping = false;
  #facts: Record<string, string> = {};

  constructor(options: RoleProcessOptions) {
    this.#options = options;
  }

  /** What the role has reported when it became ready, such as its address. */
  get facts(): Readonly<Record<string, string>> {
    return this.#facts;
  }

  /** Resolves when the process is ready. Throws `unexpected` if it ends before; it has then printed why. */
  async start(): Promise<void> {
    const { role, module, args, env, report } = this.#options;
    // A process group of its own: Ctrl-C reaches only the parent, which stops the roles in order.
    const child = fork(fileURLToPath(module), args, {
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: RoleMessage) => {
        if (message.type === 'report') return report(message.line, message.event);
        this.#facts = message.facts;
        resolve();
      });
      child.once('exit', () => reject(new AppError('unexpected', `${role} did not start`)));
    });
    child.once('exit', (code, signal) => this.#restart(signal ?? `code ${code}`));
  }

  /** Stops the process: SIGTERM, and SIGKILL after 5 s. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), longestStopMs);
    await exited;
    clearTimeout(timer);
  }

  #restart(how: string): void {
    if (this.#stopping) return;
    const { role, report } = this.#options;
    report(`${role} ended (${how}); restarting it`);
    setTimeout(() => {
      if (!this.#stopping) this.start().catch(() => this.#restart('did not start'));
    }, restartMs);
  }
}
