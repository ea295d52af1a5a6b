import { setTimeout as delay } from 'node:timers/promises';

/** Ten times what a quiet machine takes for the longest of what is awaited so, and much less than what is not waited for. */
const usualLimitMs = 10_000;

/** Resolves with the result of the work. Throws if it takes longer than the limit, which what it must not wait for does. */
export async function within<T>(what: string, work: PromiseLike<T>, limitMs = usualLimitMs): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  const late = delay(limitMs, undefined, { signal }).then(() => {
    throw new Error(`${what}: not within ${limitMs} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}
