import { setTimeout as delay } from 'node:timers/promises';

const shortestPauseMs = 10;
const longestPauseMs = 500;

/**
 * Resolves with the first value of `look` that is not false, null or undefined; throws after `withinMs`, which ends a
 * test that hangs and judges no machine. Looks are work for what is awaited: the pauses between them are four times as long
 * as the looks, and a twentieth of the time that has passed. `instead`: what is there in place of it, for the error.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 90_000,
  instead?: () => unknown,
): Promise<Exclude<T, false | null | undefined>> {
  const started = performance.now();
  for (;;) {
    const lookedAt = performance.now();
    const found = await look();
    const now = performance.now();
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<T, false | null | undefined>;
    if (now > started + withinMs) {
      const other = instead ? `, but ${JSON.stringify(await instead())}` : '';
      throw new Error(`${what}: not within ${withinMs} ms${other}`);
    }
    const pauseMs = Math.max(shortestPauseMs, 4 * (now - lookedAt), (now - started) / 20);
    await delay(Math.min(pauseMs, longestPauseMs));
  }
}
