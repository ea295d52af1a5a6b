import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileRequest, FileResult } from './file-result.js';
import { TestProcess } from './test-process.js';

export interface TestRunOptions {
  /** How many processes run files side by side. */
  processes: number;
  grep?: string;
  /** Is called with each file's result as it comes. */
  onResult: (result: FileResult) => void;
}

/**
 * Whether other programs ask for the cores, too: a run by itself has a load of up to 7 a core. A service keeps no limit of time on a machine
 * that is asked for ten times what it has, so further files then wait for those that run.
 */
const isCrowded = (): boolean => loadavg()[0] > 9 * availableParallelism();

/**
 * Shares test files out among processes: each takes the next file when it has finished one. Every second process begins with
 * files that start no processes. They wait most of the time, so the cores are used well and never asked for too much.
 */
export class TestRun {
  readonly #files: FileRequest[];
  readonly #options: TestRunOptions;
  readonly #running = new Set<TestProcess>();
  readonly #results: FileResult[] = [];
  /** How many files run. */
  #busy = 0;
  /** Whether the run was ended before its last file. */
  stopped = false;

  constructor(files: readonly FileRequest[], options: TestRunOptions) {
    this.#files = [...files];
    this.#options = options;
  }

  /** Runs all files, and answers their results; of a stopped run those that it has. */
  async run(): Promise<FileResult[]> {
    const { processes } = this.#options;
    const count = Math.min(processes, this.#files.length);
    await Promise.all(Array.from({ length: count }, (_, n) => this.#work(n % 2 === 1)));
    return this.#results;
  }

  /** Ends the processes; no further file starts. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([...this.#running].map((each) => each.close()));
  }

  async #work(beginsLight: boolean): Promise<void> {
    let process = await this.#start();
    let path = '';
    for (let file = this.#next(beginsLight); file; file = this.#next(beginsLight)) {
      if (process.hasCrashed) process = await this.#replace(process, path);
      ({ path } = file);
      while (this.#busy > 0 && isCrowded() && !this.stopped) await pause(1_000);
      if (this.stopped) return;
      this.#busy++;
      const result = await process.run(file);
      this.#busy--;
      if (this.stopped) return;
      if (result) this.#take(result);
      else process = await this.#replace(process, path);
    }
    if (!(await this.#end(process))) this.#take(crashed(path, process.end));
  }

  #next(isLight: boolean): FileRequest | undefined {
    const index = isLight ? this.#files.findIndex(({ startsProcesses }) => !startsProcesses) : 0;
    return this.#files.splice(Math.max(index, 0), 1).at(0);
  }

  /** Another process for one that crashed in this file, or after it. */
  async #replace(process: TestProcess, path: string): Promise<TestProcess> {
    await this.#end(process);
    this.#take(crashed(path, process.end));
    return this.#start();
  }

  async #start(): Promise<TestProcess> {
    const process = await TestProcess.start();
    this.#running.add(process);
    return process;
  }

  async #end(process: TestProcess): Promise<boolean> {
    const endedWell = await process.close();
    this.#running.delete(process);
    return endedWell;
  }

  #take(result: FileResult): void {
    this.#results.push(result);
    this.#options.onResult(result);
  }
}

function crashed(path: string, end: string): FileResult {
  const error = `the process ended with ${end} in this file, or soon after it; its last output is above`;
  return {
    ...{ path, ms: 0, cpuMs: 0, passed: [], skipped: [] },
    failed: [{ title: 'the file as a whole', error }],
    report: `\n  ${error}\n`,
  };
}
