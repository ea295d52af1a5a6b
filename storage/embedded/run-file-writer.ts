import { removeRunFile, writeRunFile, type RunFile } from './run-file.js';

export interface RunFileWriter {
  write(run: RunFile): Promise<void>;
  /** Removes the run file; nothing is written after it. */
  close(): Promise<void>;
}

/** Writes the run file of one holder, one write after the other, so that the last one is the one that stays. */
export function runFileWriter(folder: string): RunFileWriter {
  let writing = Promise.resolve();
  let closed = false;
  return {
    write(run) {
      const write = async () => (closed ? undefined : writeRunFile(folder, run));
      writing = writing.then(write, write);
      return writing;
    },
    async close() {
      closed = true;
      await writing.catch(() => undefined);
      await removeRunFile(folder);
    },
  };
}
