import pLimit from 'p-limit';
import type { DeadLetter } from '../../storage/cluster/dead-letters.js';

export interface RetriedAll {
  /** Jobs that ran again and succeeded, and were deleted from the dead jobs. */
  retried: number;
  /** Jobs that failed again. */
  failed: number;
  /** Jobs that cannot run again, because parts of them were not kept. */
  incomplete: number;
  /** Jobs that were not started before the time was over. */
  left: number;
}

const atOnce = 4;

/** Retries dead letters, four at a time. After `budgetMs`, or when the caller is gone, no more are begun. */
export async function retryAll(
  letters: readonly DeadLetter[],
  retry: (letter: DeadLetter) => Promise<unknown>,
  { budgetMs, signal }: { budgetMs: number; signal: AbortSignal },
): Promise<RetriedAll> {
  const whole = letters.filter(({ complete }) => complete);
  const result: RetriedAll = { retried: 0, failed: 0, incomplete: letters.length - whole.length, left: 0 };
  const end = performance.now() + budgetMs;
  const limit = pLimit(atOnce);
  const one = async (letter: DeadLetter) => {
    if (signal.aborted || performance.now() > end) return 'left';
    return retry(letter).then(
      () => 'retried' as const,
      () => 'failed' as const,
    );
  };
  for (const outcome of await Promise.all(whole.map((letter) => limit(one, letter)))) result[outcome]++;
  return result;
}
