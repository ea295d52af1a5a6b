import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileRequest, FileResult } from './file-result.js';
import { temporaryRoot } from './temporary-root.js';

const main = fileURLToPath(new URL('test-process-main.js', import.meta.url));

/** Its servers are given 8 s each to stop. */
const closeWithinMs = 60_000;

/** A process that runs test files one after the other, with servers and a temporary folder of its own. */
export class TestProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #exit: Promise<void>;
  #take: (result: FileResult | undefined) => void = () => undefined;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#child = fork(main, { execArgv: ['--enable-source-maps'], env: { ...process.env, TMPDIR: folder } });
    this.#exit = once(this.#child, 'exit').then(() => this.#take(undefined));
    this.#child.on('message', (result: FileResult) => this.#take(result));
  }

  static async start(): Promise<TestProcess> {
    return new TestProcess(await mkdtemp(join(temporaryRoot(), 'tidemark-tests-')));
  }

  /** Whether it has ended by itself, which is a crash. */
  get hasCrashed(): boolean {
    return !this.#child.connected;
  }

  /** Answers undefined if the process ends before the file does. */
  async run(request: FileRequest): Promise<FileResult | undefined> {
    return new Promise((resolve) => {
      this.#take = resolve;
      this.#child.send(request);
    });
  }

  /** How the process ended, as in `exit code 1` or `SIGKILL`. */
  get end(): string {
    return this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
  }

  /** Ends the process and its servers; resolves when they are gone, with whether all went well. One that hangs is killed. */
  async close(): Promise<boolean> {
    if (this.#child.connected) this.#child.disconnect();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), closeWithinMs);
    await this.#exit;
    clearTimeout(late);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20 });
    return this.#child.exitCode === 0;
  }
}
