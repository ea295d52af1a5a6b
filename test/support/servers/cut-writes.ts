import { openStorage, type Storage } from '../../../storage/index.js';
import { WriteCut } from './write-cut.js';

const timeoutMs = 3_000;
const mostWrites = 30;

/** What is done with a storage, and checked once it was cut off. */
export interface CutWork {
  /** Sets up the data anew, before each cut. */
  prepare: () => Promise<void>;
  /** Does the work over a connection that may be cut. */
  work: (storage: Storage) => Promise<unknown>;
  /** Called after each cut, with the number of writes that went through. */
  check: (written: number) => Promise<void>;
}

/** Cuts the work before its first write, then before its second and so on, until it ends uncut. Returns the number of writes. */
export async function cutWrites(mongodbUrl: string, { prepare, work, check }: CutWork): Promise<number> {
  for (let written = 0; written <= mostWrites; written++) {
    await prepare();
    const cut = await WriteCut.open(mongodbUrl);
    const storage = openStorage(cut.url, { timeoutMs });
    try {
      await storage.ping();
      // The client ends once it knows: it would only wait for its limit before it gives MongoDB up.
      cut.after(written, () => void storage.close());
      const isDone = await work(storage).then(
        () => true,
        (error: unknown) => {
          if (!cut.isCut) throw error;
          return false;
        },
      );
      if (isDone && !cut.isCut) return written;
    } finally {
      await storage.close();
      await cut.close();
    }
    await check(written);
  }
  throw new Error(`the work did not end within ${mostWrites} writes`);
}
