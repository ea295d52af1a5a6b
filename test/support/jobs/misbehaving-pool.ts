import { openPool, type TaskRun, type ThreadPool } from '../../../jobs/node/pool.js';
import type { Misdeed } from './misbehaving-worker.js';

/** A pool whose threads do what they are told instead of the tasks of compute/. */
export interface MisbehavingPool extends Pick<ThreadPool, 'threads' | 'close'> {
  pool: ThreadPool;
  tell(misdeed: Misdeed, signal?: AbortSignal): Promise<TaskRun<unknown>>;
}

export function openMisbehavingPool({ threads = 1, threadMemoryMb = 64 } = {}): MisbehavingPool {
  const filename = new URL('./misbehaving-worker.js', import.meta.url).href;
  const pool = openPool({ threads, threadMemoryMb, filename });
  return {
    pool,
    threads,
    tell: (misdeed, signal = new AbortController().signal) => tellPool(pool, misdeed, signal),
    close: () => pool.close(),
  };
}

/** The same for a pool that a job was handed. */
export const tellPool = (
  pool: ThreadPool,
  misdeed: Misdeed,
  signal: AbortSignal,
): Promise<TaskRun<unknown>> => pool.run('core-line', misdeed as never, signal);
