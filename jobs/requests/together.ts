interface Waiting<Ask, Given> {
  ask: Ask;
  resolve: (given: Given) => void;
  reject: (error: unknown) => void;
}

export interface TogetherOptions<Ask, Given> {
  /** Sends some at once, and resolves with what each is given, in their order. */
  send: (asks: Ask[]) => Promise<Given[]>;
  /** How many are sent at once at most, and how large they may be in all; one that is larger goes alone. */
  most: number;
  mostSize: number;
  sizeOf: (ask: Ask) => number;
}

/**
 * Sends what is asked at the same moment as one. While that is on its way the next gathers: one that comes alone leaves
 * at once, and under load they are sent together by themselves.
 */
export class Together<Ask, Given> {
  readonly #options: TogetherOptions<Ask, Given>;
  #waiting: Waiting<Ask, Given>[] = [];
  #isSending = false;

  constructor(options: TogetherOptions<Ask, Given>) {
    this.#options = options;
  }

  ask(ask: Ask): Promise<Given> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ask, resolve, reject });
      if (!this.#isSending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    // What the same tick brings goes along.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#send(this.#fill());
    this.#isSending = false;
  }

  #fill(): Waiting<Ask, Given>[] {
    const { most, mostSize, sizeOf } = this.#options;
    let size = 0;
    const end = this.#waiting.findIndex(({ ask }, n) => {
      size += sizeOf(ask);
      return n > 0 && (n === most || size > mostSize);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #send(some: readonly Waiting<Ask, Given>[]): Promise<void> {
    try {
      const given = await this.#options.send(some.map(({ ask }) => ask));
      some.forEach(({ resolve }, n) => resolve(given[n]));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}
