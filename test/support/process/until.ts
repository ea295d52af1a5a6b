import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the first value of `look` that is not false, null or undefined; looks every 10 ms, and throws after `withinMs`. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 10_000,
  everyMs = 10,
): Promise<Exclude<T, false | null | undefined>> {
  const limit = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>;
    if (performance.now() > limit) throw new Error(`${what}: not within ${withinMs} ms`);
    await delay(everyMs);
  }
}
