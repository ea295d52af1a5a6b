import { MongoProxy } from './mongo-proxy.js';

/**
 * A way to MongoDB that breaks before a chosen write: that write does not arrive, every connection is closed and none is
 * accepted until `mend`. To the client it is as if the process or the network had died there.
 */
export class WriteCut {
  /** The writes that went through. */
  written = 0;
  #left = Infinity;
  #proxy: MongoProxy | undefined;

  static async open(mongodbUrl: string): Promise<WriteCut> {
    const cut = new WriteCut();
    cut.#proxy = await MongoProxy.open(mongodbUrl, () => {
      if (cut.#left-- <= 0) return 'cut';
      cut.written++;
      return 'pass';
    });
    return cut;
  }

  get url(): string {
    return this.#proxy!.url;
  }

  get isCut(): boolean {
    return this.#proxy!.isCut;
  }

  /** Lets so many writes through, and cuts before the next. `onRefused`: see `MongoProxy`. */
  after(count: number, onRefused: () => void = () => undefined): void {
    this.#left = count;
    this.#proxy!.onRefused = onRefused;
  }

  mend(): void {
    this.#proxy!.mend();
    this.#left = Infinity;
  }

  close(): Promise<void> {
    return this.#proxy!.close();
  }
}
