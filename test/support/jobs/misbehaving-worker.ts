import { AppError, errorToData } from '../../../compute/model/errors.js';
import { runTaskBatch, type TaskBatch, type TaskRequest, type TaskResponse } from '../../../compute/task.js';

/** What a thread of this module can be told to do. */
export type Misdeed =
  | { do: 'answer'; value: unknown }
  /** Answers with an AppError, as tasks do. */
  | { do: 'refuse' }
  /** Answers with what nobody foresaw, as compute/worker.ts does. */
  | { do: 'break' }
  /** Throws, which no task does. */
  | { do: 'throw' }
  /** Throws after it has answered. */
  | { do: 'throw later' }
  | { do: 'exit'; code: number }
  /** Fills the heap. */
  | { do: 'grow' }
  /** Counts on and on in shared memory, once a millisecond: it leaves the cores to the tests. */
  | { do: 'loop'; counter: Int32Array };

/** Loaded by pool threads in place of compute/worker.ts. */
export default function run(parcel: TaskBatch): (TaskResponse | null)[] {
  return runTaskBatch(parcel, misbehave);
}

function misbehave({ input }: TaskRequest): TaskResponse {
  const misdeed = input as Misdeed;
  switch (misdeed.do) {
    case 'answer':
      return { ok: true, output: misdeed.value, computeMs: 0.5 };
    case 'refuse': {
      const error = new AppError('not_enough_history', 'too short', { details: { needed: 61, found: 5 } });
      return { ok: false, error: errorToData(error) };
    }
    case 'break': {
      const error = new TypeError('a secret of the inside');
      return { ok: false, error: errorToData(error), stack: error.stack! };
    }
    case 'throw':
      throw new TypeError('a secret of the inside');
    case 'throw later':
      setTimeout(() => {
        throw new TypeError('a secret of the inside');
      });
      return { ok: true, output: null, computeMs: 0 };
    case 'exit':
      return process.exit(misdeed.code);
    case 'grow': {
      const kept: number[][] = [];
      for (;;) kept.push(Array.from({ length: 10_000 }, Math.random));
    }
    case 'loop':
      for (const cell = new Int32Array(new SharedArrayBuffer(4)); ; Atomics.wait(cell, 0, 0, 1))
        Atomics.add(misdeed.counter, 0, 1);
  }
}
