import type { Exchange } from 'ccxt';

/** Markets are loaded again after this time: new pairs are listed, and rules change. */
const keptMs = 3_600_000;

/** After a refused order, and after a failure, they are loaded again sooner, but not more often than this. */
const calmMs = 60_000;

interface Loaded {
  client: Promise<Exchange>;
  /** When they were loaded, or were last tried to be. */
  triedAtMs: number;
  /** Whether something newer is wanted than what is there. */
  isOld: boolean;
}

/**
 * Clients that have loaded the markets of an exchange, by its name. Only the first load is waited for: the client with the older
 * markets serves while they are loaded again, and stays if that fails, so that no order waits for a list of markets.
 */
export class LoadedMarkets {
  readonly #load: (name: string) => Promise<Exchange>;
  readonly #loaded = new Map<string, Loaded>();

  constructor(load: (name: string) => Promise<Exchange>) {
    this.#load = load;
  }

  /** Has the markets loaded again when they are needed next, because the exchange has refused an order by their rules. */
  expire(name: string): void {
    const known = this.#loaded.get(name);
    if (known) known.isOld = true;
  }

  /** The client of an exchange. Throws what the first load throws. */
  of(name: string): Promise<Exchange> {
    const known = this.#loaded.get(name);
    if (known) {
      if (Date.now() - known.triedAtMs >= (known.isOld ? calmMs : keptMs)) this.#loadAgain(name, known);
      return known.client;
    }
    const client = this.#load(name);
    this.#loaded.set(name, { client, triedAtMs: Date.now(), isOld: false });
    client.catch(() => this.#loaded.delete(name));
    return client;
  }

  #loadAgain(name: string, known: Loaded): void {
    Object.assign(known, { triedAtMs: Date.now(), isOld: false });
    this.#load(name).then(
      (client) => (known.client = Promise.resolve(client)),
      () => (known.isOld = true),
    );
  }
}
