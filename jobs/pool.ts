import { Piscina } from 'piscina';
import { AppError, errorFromData } from '../compute/model/errors.js';
import type { TaskRequest, TaskResponse } from '../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../compute/tasks/index.js';

export interface PoolOptions {
  threads: number;
  /** Heap limit of one thread; a task that exceeds it fails alone. */
  threadMemoryMb: number;
  /** The module the threads run; default: the tasks of compute/. */
  filename?: string;
}

export interface TaskRun<Output> {
  output: Output;
  /** How long the thread computed, in ms. */
  computeMs: number;
}

/** The worker threads of one compute node. */
export interface ThreadPool {
  readonly threads: number;
  /**
   * Runs a task in a free thread. An aborted signal ends the thread that runs it, and rejects with the signal's
   * reason. Throws `thread_failed` when the thread died, else the error the task gave.
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
  ): Promise<TaskRun<TaskOutput<Name>>>;
  close(): Promise<void>;
}

const defaultFilename = new URL('../compute/worker.js', import.meta.url).href;

/** The module of threads whose work may take long: they give way to the others. */
export const backgroundThread = new URL('./background-thread.js', import.meta.url).href;

/** Starts all threads of the pool. */
export function openPool({ threads, threadMemoryMb, filename = defaultFilename }: PoolOptions): ThreadPool {
  const piscina = new Piscina<TaskRequest, TaskResponse>({
    filename,
    minThreads: threads,
    maxThreads: threads,
    // Without it a thread loads its module by require(), and one that is ended meanwhile takes Node 20 down with it.
    execArgv: [...process.execArgv, '--no-experimental-require-module'],
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  });
  // A thread that dies rejects the task it ran; without a listener it would also end the process.
  piscina.on('error', () => undefined);
  let closed = false;
  return {
    threads,
    async run(name, input, signal) {
      // Piscina would take it and start a thread anew.
      if (closed) throw new AppError('thread_failed', `"${name}" came after the pool was closed`);
      const response = await ask(piscina, { name, input }, signal);
      if (response.ok)
        return { output: response.output as TaskOutput<typeof name>, computeMs: response.computeMs };
      throw taskError(response);
    },
    close: () => {
      closed = true;
      return piscina.destroy();
    },
  };
}

async function ask(piscina: Piscina<TaskRequest, TaskResponse>, request: TaskRequest, signal: AbortSignal) {
  signal.throwIfAborted();
  try {
    return await piscina.run(request, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('thread_failed', `the thread that ran "${request.name}" failed`, { cause: error });
  }
}

/** What was thrown in a thread, as the log can show it: its stack begins with its message. */
function thrown(stack: string): Error {
  const error = new Error(stack.split('\n', 1)[0]);
  error.stack = stack;
  return error;
}

function taskError({ error, stack }: Extract<TaskResponse, { ok: false }>): AppError {
  const { code, message, details } = errorFromData(error);
  return new AppError(code, message, { details, cause: stack === undefined ? undefined : thrown(stack) });
}
