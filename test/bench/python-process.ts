import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A Python script that answers each line of its input by one line. */
export class PythonProcess {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(script: string, args: readonly string[]) {
    this.#process = spawn('python3', [script, ...args]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** The answer to a line. Throws when the script has ended. */
  async ask(line: string): Promise<string> {
    this.#process.stdin.write(`${line}\n`);
    const { value, done } = (await this.#lines.next()) as IteratorResult<string, undefined>;
    if (done) throw new Error(`the Python script ended while it was asked "${line}"`);
    return value;
  }

  close(): void {
    this.#process.stdin.end();
  }
}
