import { AppError } from '../../compute/model/errors.js';
import type { ThreadPool } from './pool.js';

/** A pool without threads, for a node whose queues do not need one. It refuses every task with `thread_failed`. */
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
