import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls of one key that overlap are made once: all of them get the result, or the error, of the first. */
export class SharedCalls<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The result of the call of this key that is under way, else of `make`, which then begins. */
  run(key: string, make: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running) return running;
    const begun = make().finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Resolves when all calls that are under way have ended, also if they fail. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

/**
 * A function that shares the result of `make` between calls: those that come while `make` runs, and those within `ms` of its
 * start. `make` never runs twice at the same time. An error is shared only while `make` runs: the next call tries again.
 */
export function shareFor<T>(ms: number, make: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | null = null;
  let isRunning = false;
  let begun = -Infinity;
  return () => {
    if (shared !== null && (isRunning || performance.now() - begun < ms)) return shared;
    begun = performance.now();
    isRunning = true;
    shared = make().finally(() => (isRunning = false));
    shared.catch(() => (begun = -Infinity));
    return shared;
  };
}

/**
 * Makes the calls of one turn of the event loop as one. All of them get its answer, which may hold more than one of them asked for; if it
 * fails, each is made by itself.
 */
export function gathered<Asked, Answer>(
  call: (asked: readonly Asked[]) => Promise<Answer>,
): (asked: readonly Asked[]) => Promise<Answer> {
  let waiting: Asked[] = [];
  let answer: Promise<Answer> | null = null;
  return (asked) => {
    waiting.push(...asked);
    answer ??= nextTurn().then(() => {
      const all = waiting;
      [waiting, answer] = [[], null];
      return call(all);
    });
    return answer.catch(() => call(asked));
  };
}
