import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenLocally } from '../servers/listen-locally.js';
import { projectRoot } from '../harness/paths.js';
import { serversDir } from '../servers/servers.js';
import { machineEnv } from './machine-env.js';

/** A command of the project, run as a user runs it, with what it printed. */
export class CommandProcess {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  output = '';
  errors = '';
  #listeners: (() => void)[] = [];
  #hasEnded = false;

  constructor(command: string, args: string[], env: Record<string, string>, cwd = projectRoot) {
    this.child = spawn(command, args, {
      cwd,
      // Nothing of the settings in force for the tests themselves may leak in.
      env: { ...machineEnv(), HOME: process.env.HOME, SERVERS_DIR: serversDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.child.stdout?.on('data', (text: Buffer) => this.#take(() => (this.output += text.toString())));
    this.child.stderr?.on('data', (text: Buffer) => this.#take(() => (this.errors += text.toString())));
    // A run of tests that is ended leaves no process behind.
    const end = () => this.child.exitCode === null && process.kill(-this.child.pid!, 'SIGKILL');
    process.once('exit', end);
    this.exit = once(this.child, 'close').then(([code]: (number | null)[]) => {
      process.off('exit', end);
      this.#take(() => (this.#hasEnded = true));
      return code;
    });
  }

  /** Resolves with the match once the standard output has it; throws when the process ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      // Once it has closed its outputs: it may have exited before its last words arrive.
      if (this.#hasEnded) {
        const { exitCode, signalCode } = this.child;
        throw new Error(
          `ended with ${exitCode ?? signalCode} before it printed ${pattern}:\n${this.output}${this.errors}`,
        );
      }
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Sends the signal to the whole group, as a terminal does on Ctrl-C, and waits for the end. */
  async interrupt(signal: NodeJS.Signals = 'SIGINT'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null)
      process.kill(-this.child.pid!, signal);
    return this.exit;
  }

  #take(note: () => unknown): void {
    note();
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

export const runNpm = (args: string[], env: Record<string, string>): CommandProcess =>
  new CommandProcess('npm', args, env);

/**
 * A port of the loopback address that is free now. It is below those that systems give to connections, so no connection
 * takes it before it is used.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const probe = createServer();
  const isFree = await listenLocally(probe, port).then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** The first of so many free ports in a row. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const probes = Array.from({ length: count }, () => createServer());
    const listening = await Promise.allSettled(probes.map((probe, n) => listenLocally(probe, first + n)));
    const taken = probes.filter((probe) => probe.listening);
    await Promise.all(taken.map((probe) => once(probe.close(), 'close')));
    if (listening.every(({ status }) => status === 'fulfilled')) return first;
  }
}
