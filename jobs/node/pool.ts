import { Piscina } from 'piscina';
import { AppError, errorFromData } from '../../compute/model/errors.js';
import { ProgressCell, type OnProgress } from '../../compute/model/progress.js';
import type { TaskBatch, TaskRequest, TaskResponse } from '../../compute/task.js';
import { tasks, type TaskInput, type TaskName, type TaskOutput } from '../../compute/tasks.js';
import { bundleOf } from '../../storage/process/asset.js';
import { EncodedResult } from '../requests/encoded-result.js';
import { ThreadDispatcher } from './thread-dispatcher.js';

/** How often (ms) progress is read: a person cannot follow faster changes. */
const readMs = 150;

/** Reads the progress of running tasks with one timer, and passes on what has changed. */
class ProgressWatch {
  readonly #reads = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** Passes on the progress in the cell when it has changed, until the returned function is called. */
  start(cell: ProgressCell, onProgress: OnProgress): () => void {
    let reported = 0;
    const read = () => {
      const { phase, fraction } = cell.read();
      if (fraction <= reported) return;
      reported = fraction;
      onProgress(phase, fraction);
    };
    this.#reads.add(read);
    this.#timer ??= setInterval(() => this.#readAll(), readMs).unref();
    return () => {
      this.#reads.delete(read);
      if (this.#reads.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #readAll(): void {
    for (const read of this.#reads) read();
  }
}

export interface PoolOptions {
  threads: number;
  /** Heap limit of one thread. A task that exceeds it fails; other tasks run on. */
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
  /** How many threads compute. */
  readonly busy: number;
  /** How many tasks wait for a free thread. */
  readonly waiting: number;
  /**
   * Runs a task in a free thread. Throws `thread_failed` when the thread died, or the error of the task. An aborted signal ends
   * the thread and rejects with the reason of the signal. `onProgress` receives the progress of a task that has phases.
   */
  run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<TaskOutput<Name>>>;
  /** The same, with the output encoded in the thread. */
  runToText<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<EncodedResult<TaskOutput<Name>>>>;
  close(): Promise<void>;
}

const defaultFilename = bundleOf('compute/worker').href;

/** The module of threads for long work, which have a lower priority. */
export const backgroundThread = bundleOf('jobs/node/background-thread').href;

/** The phases of long tasks, by name. */
const phasesOf = new Map(tasks.flatMap(({ name, phases }) => (phases ? [[name, phases] as const] : [])));

/** Starts all threads of the pool. */
export const openPool = (options: PoolOptions): ThreadPool => new PiscinaPool(options);

class PiscinaPool implements ThreadPool {
  readonly threads: number;
  readonly #piscina: Piscina<TaskBatch, (TaskResponse | null)[]>;
  readonly #dispatcher: ThreadDispatcher;
  readonly #watch = new ProgressWatch();
  #isClosed = false;
  /** Tasks that wait or run. */
  #open = 0;

  constructor({ threads, threadMemoryMb, filename = defaultFilename }: PoolOptions) {
    this.threads = threads;
    this.#piscina = new Piscina({
      filename,
      minThreads: threads,
      maxThreads: threads,
      // Without this option a thread loads its module by require(). Ending it meanwhile would crash Node 20.
      execArgv: [...process.execArgv, '--no-experimental-require-module'],
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    });
    // A thread that dies rejects its task. Without a listener it would also end the process.
    this.#piscina.on('error', () => undefined);
    this.#dispatcher = new ThreadDispatcher(threads, (batch, signal) => this.#piscina.run(batch, { signal }));
  }

  get busy(): number {
    return Math.min(this.#open, this.threads);
  }

  get waiting(): number {
    return Math.max(0, this.#open - this.threads);
  }

  async run<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<TaskOutput<Name>>> {
    const { output, computeMs } = await this.#run({ name, input }, signal, onProgress);
    return { output: output as TaskOutput<Name>, computeMs };
  }

  async runToText<Name extends TaskName>(
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TaskRun<EncodedResult<TaskOutput<Name>>>> {
    const { output, computeMs } = await this.#run({ name, input, asText: true }, signal, onProgress);
    return { output: new EncodedResult<TaskOutput<Name>>(output as string), computeMs };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#piscina.destroy();
  }

  async #run(request: TaskRequest, signal: AbortSignal, onProgress?: OnProgress): Promise<TaskRun<unknown>> {
    // Piscina would start a new thread for it.
    if (this.#isClosed)
      throw new AppError('thread_failed', `"${request.name}" came after the pool was closed`);
    this.#open++;
    try {
      return outputOf(await this.#respond(request, signal, onProgress));
    } catch (error) {
      if (error instanceof AppError) throw error;
      signal.throwIfAborted();
      throw new AppError('thread_failed', `the thread that ran "${request.name}" failed`, { cause: error });
    } finally {
      this.#open--;
    }
  }

  #respond(request: TaskRequest, signal: AbortSignal, onProgress?: OnProgress): Promise<TaskResponse> {
    const phases = onProgress && phasesOf.get(request.name as TaskName);
    if (!phases) return this.#dispatcher.run(request, signal);
    const cell = new ProgressCell(phases);
    const endWatch = this.#watch.start(cell, onProgress);
    return this.#dispatcher.run({ ...request, progress: cell.buffer }, signal).finally(endWatch);
  }
}

/** The output of a response; throws the error of the task. */
function outputOf(response: TaskResponse): TaskRun<unknown> {
  if (response.ok) return response;
  const { code, message, details } = errorFromData(response.error);
  const cause = response.stack === undefined ? undefined : errorWithStack(response.stack);
  throw new AppError(code, message, { details, cause });
}

/** An error with the stack of a thread, for the log. The first line of a stack is the message. */
function errorWithStack(stack: string): Error {
  const error = new Error(stack.split('\n', 1)[0]);
  error.stack = stack;
  return error;
}
