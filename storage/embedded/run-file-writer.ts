import { removeRunFile, writeRunFile, type RunFile } from './run-file.js';

export interface RunFileWriter {
  write(run: RunFile): Promise<void>;
  /** Removes the run file. Later writes do nothing. */
  close(): Promise<void>;
}

/** Writes the run file of one holder, one write after the other, so that the last one wins. */
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
