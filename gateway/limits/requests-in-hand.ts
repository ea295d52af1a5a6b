import { AppError } from '../../compute/model/errors.js';

/**
 * Bounds the requests that a gateway works on at the same time. A key (a network, or a user) may have as many as are free, which is
 * the dynamic threshold of shared buffers: one busy key gets at most half of them, two get a third each, and some stay free.
 */
export class RequestsInHand {
  readonly #most: number;
  readonly #ofKey = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts one more request of a network or user. The returned function ends it, once. Throws `gateway_busy`. */
  begin(key: string): () => void {
    const own = this.#ofKey.get(key) ?? 0;
    if (own >= this.#most - this.#total) throw tooMany(own, this.#total);
    this.#ofKey.set(key, own + 1);
    this.#total++;
    let isOpen = true;
    return () => {
      if (isOpen) this.#end(key);
      isOpen = false;
    };
  }

  #end(key: string): void {
    this.#total--;
    const own = this.#ofKey.get(key)! - 1;
    if (own === 0) this.#ofKey.delete(key);
    else this.#ofKey.set(key, own);
  }
}

const tooMany = (own: number, total: number) =>
  new AppError(
    'gateway_busy',
    `the service is answering ${total} requests, ${own} of them for you or your network; try again in a moment`,
  );
