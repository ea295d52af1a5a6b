import { AppError } from '../../compute/model/errors.js';
import type { ThreadPool } from './pool.js';

/** The pool of a node that takes nothing that runs in it: no thread is started, and every task is refused. */
export const noThreads: ThreadPool = {
  threads: 0,
  busy: 0,
  waiting: 0,
  run: refuse,
  runToText: refuse,
  close: async () => undefined,
};

async function refuse(name: string): Promise<never> {
  throw new AppError('thread_failed', `"${name}" came to a node without threads for it`);
}
