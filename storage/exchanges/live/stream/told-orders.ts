import { setTimeout as pause } from 'node:timers/promises';
import type { AccountNews } from '../../venue-user-stream.js';

/** How long (ms) the answer to an order is waited for once a private stream has told of the order. */
const answerMs = 2_000;

/** Orders whose answers are waited for, as the private streams tell of them. */
export class ToldOrders {
  readonly #waiting = new Map<string, () => void>();

  hear({ orders = [] }: AccountNews): void {
    for (const { clientOrderId } of orders) this.#waiting.get(clientOrderId)?.();
  }

  /**
   * The answer to an order; `late` if none has come soon after a stream has told of it: what it has bought is not to wait for its stop
   * while a request hangs.
   */
  async answer<T>(clientOrderId: string, sending: Promise<T>, late: T): Promise<T> {
    const told = new Promise<void>((resolve) => this.#waiting.set(clientOrderId, resolve));
    const isLate = told.then(() => pause(answerMs, late, { ref: false }));
    return Promise.race([sending, isLate]).finally(() => this.#waiting.delete(clientOrderId));
  }
}
