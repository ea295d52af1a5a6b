import type { Answer } from '../job.js';
import type { Timings } from './wire.js';

/**
 * A known result, which its callers share and do not change. It is parsed when it is read, because many callers need only its id
 * or text, and stays parsed until its memory is needed: callers of one moment then parse it once.
 */
export class RecalledAnswer implements Answer {
  readonly id: string;
  readonly text: string;
  readonly timings: Timings = { queue: 0 };
  #parsed: WeakRef<object> | undefined;

  constructor(id: string, text: string) {
    this.id = id;
    this.text = text;
  }

  get result(): unknown {
    const parsed = this.#parsed?.deref();
    if (parsed) return parsed;
    const result: unknown = JSON.parse(this.text);
    if (typeof result === 'object' && result !== null) this.#parsed = new WeakRef(result);
    return result;
  }
}
