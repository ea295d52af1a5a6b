import type { Exchange } from 'ccxt';

/** Markets are loaded again after this time: new pairs are listed, and rules change. */
const keptMs = 3_600_000;

/** After a refused order they are loaded again at once, but not more often than this. */
const calmMs = 60_000;

interface Loading {
  client: Promise<Exchange>;
  atMs: number;
}

/** Clients that have loaded the markets of an exchange, by its name. When loading again fails, the client with the older markets is kept. */
export class LoadedMarkets {
  readonly #load: (name: string) => Promise<Exchange>;
  readonly #loaded = new Map<string, Loading>();

  constructor(load: (name: string) => Promise<Exchange>) {
    this.#load = load;
  }

  /** Has the markets loaded again when they are needed next, because the exchange has refused an order by their rules. */
  expire(name: string): void {
    const known = this.#loaded.get(name);
    if (known && Date.now() - known.atMs >= calmMs) known.atMs = 0;
  }

  /** The client of an exchange. Throws what loading throws. */
  of(name: string): Promise<Exchange> {
    const known = this.#loaded.get(name);
    if (known && Date.now() - known.atMs < keptMs) return known.client;
    const client = this.#load(name).catch((error: unknown) => {
      if (known) return known.client;
      this.#loaded.delete(name);
      throw error;
    });
    this.#loaded.set(name, { client, atMs: Date.now() });
    return client;
  }
}
