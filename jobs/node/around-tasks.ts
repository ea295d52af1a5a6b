import type { TaskRun, ThreadPool } from './pool.js';

/** Runs a task, with something before or after it. */
export type AroundTask = <Output>(
  task: string,
  run: () => Promise<TaskRun<Output>>,
) => Promise<TaskRun<Output>>;

/** The same pool, with `around` applied to each task. */
export const aroundTasks = (pool: ThreadPool, around: AroundTask): ThreadPool => ({
  threads: pool.threads,
  get busy() {
    return pool.busy;
  },
  get waiting() {
    return pool.waiting;
  },
  run: (name, ...rest) => around(name, () => pool.run(name, ...rest)),
  runToText: (name, ...rest) => around(name, () => pool.runToText(name, ...rest)),
  close: () => pool.close(),
});
