import { Piscina } from 'piscina';
import { AppError, errorFromData } from '../../compute/model/errors.js';
import { ProgressCell, type OnProgress } from '../../compute/model/progress.js';
import type { TaskRequest, TaskResponse } from '../../compute/task.js';
import type { TaskBatch } from '../../compute/task-batch.js';
import { tasks, type TaskInput, type TaskName, type TaskOutput } from '../../compute/tasks/index.js';
import { EncodedResult } from '../requests/encoded-result.js';
import { ProgressWatch } from './progress-watch.js';
import { ThreadDispatcher } from './thread-dispatcher.js';

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
  /** How many of them compute. */
  readonly busy: number;
  /** How many tasks wait for a free thread. */
  readonly waiting: number;
  /**
   * Runs a task in a free thread. An aborted signal ends the thread that runs it, and rejects with the signal's
   * reason. Throws `thread_failed` when the thread died, else the error the task gave. `tell` hears now and then how
   * far a task that may take long has come.
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<TaskOutput<Name>>>;
  /** The same; the output is encoded in the thread. */
  runToText<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<EncodedResult<TaskOutput<Name>>>>;
  close(): Promise<void>;
}

const defaultFilename = new URL('../../compute/worker.js', import.meta.url).href;

/** The module of threads whose work may take long: they give way to the others. */
export const backgroundThread = new URL('./background-thread.js', import.meta.url).href;

/** What tasks that may take long do one after the other. */
const phasesOf = new Map(tasks.flatMap(({ name, phases }) => (phases ? [[name, phases] as const] : [])));

/** Starts all threads of the pool. */
export function openPool({ threads, threadMemoryMb, filename = defaultFilename }: PoolOptions): ThreadPool {
  const piscina = new Piscina<TaskBatch, (TaskResponse | null)[]>({
    filename,
    minThreads: threads,
    maxThreads: threads,
    // Without it a thread loads its module by require(), and one that is ended meanwhile takes Node 20 down with it.
    execArgv: [...process.execArgv, '--no-experimental-require-module'],
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
  });
  // A thread that dies rejects the task it ran; without a listener it would also end the process.
  piscina.on('error', () => undefined);
  const line = new ThreadDispatcher(threads, (parcel, signal) => piscina.run(parcel, { signal }));
  const watch = new ProgressWatch();
  let closed = false;
  let asked = 0;
  const ask = async (request: TaskRequest, signal: AbortSignal, onProgress: OnProgress | undefined) => {
    // Piscina would take it and start a thread anew.
    if (closed) throw new AppError('thread_failed', `"${request.name}" came after the pool was closed`);
    asked++;
    try {
      return await watched(request, signal, onProgress);
    } finally {
      asked--;
    }
  };
  const watched = (request: TaskRequest, signal: AbortSignal, onProgress: OnProgress | undefined) => {
    const phases = onProgress && phasesOf.get(request.name as TaskName);
    if (!phases) return answerOf(line, request, signal);
    const cell = new ProgressCell(phases);
    const end = watch.start(cell, onProgress);
    return answerOf(line, { ...request, progress: cell.buffer }, signal).finally(end);
  };
  return {
    threads,
    get busy() {
      return Math.min(asked, threads);
    },
    get waiting() {
      return Math.max(0, asked - threads);
    },
    async run(name, input, signal, onProgress) {
      const { output, computeMs } = await ask({ name, input }, signal, onProgress);
      return { output: output as TaskOutput<typeof name>, computeMs };
    },
    async runToText(name, input, signal, onProgress) {
      const { output, computeMs } = await ask({ name, input, asText: true }, signal, onProgress);
      return { output: new EncodedResult<TaskOutput<typeof name>>(output as string), computeMs };
    },
    close: () => {
      closed = true;
      return piscina.destroy();
    },
  };
}

async function answerOf(
  line: ThreadDispatcher,
  request: TaskRequest,
  signal: AbortSignal,
): Promise<TaskRun<unknown>> {
  const response = await responseOf(line, request, signal);
  if (response.ok) return response;
  const { code, message, details } = errorFromData(response.error);
  const cause = response.stack === undefined ? undefined : thrown(response.stack);
  throw new AppError(code, message, { details, cause });
}

/** What was thrown in a thread, as the log can show it: its stack begins with its message. */
function thrown(stack: string): Error {
  const error = new Error(stack.split('\n', 1)[0]);
  error.stack = stack;
  return error;
}

async function responseOf(
  line: ThreadDispatcher,
  request: TaskRequest,
  signal: AbortSignal,
): Promise<TaskResponse> {
  try {
    return await line.run(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new AppError('thread_failed', `the thread that ran "${request.name}" failed`, { cause: error });
  }
}
