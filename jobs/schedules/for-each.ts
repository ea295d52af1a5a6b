import PQueue from 'p-queue';

/**
 * Calls `work` with each item, at most `concurrency` at a time. After the first failure it starts no further item, and throws
 * that failure when the running ones have ended.
 */
export async function forEach<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency });
  const failures: unknown[] = [];
  for (const item of items)
    queue
      .add(() => work(item))
      .catch((error: unknown) => {
        failures.push(error);
        queue.clear();
      });
  await queue.onIdle();
  if (failures.length > 0) throw failures[0];
}
