import PQueue from 'p-queue';
import { AppError } from '../../compute/model/errors.js';

/**
 * Calls `work` with each item, at most `concurrency` at a time, and throws the first failure when all have ended. A failure that
 * concerns its item alone (invalid data, a fault of the code) does not keep the others from their turn; after any other, such
 * as an outage or a cancellation, no further item is started.
 */
export async function forEach<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency });
  const failures: unknown[] = [];
  const run = async (item: T) => {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      if (!(error instanceof AppError && itemKinds.has(error.kind))) queue.clear();
    }
  };
  for (const item of items) void queue.add(() => run(item));
  await queue.onIdle();
  if (failures.length > 0) throw failures[0];
}

const itemKinds: ReadonlySet<string> = new Set(['invalid', 'missing', 'bug']);
