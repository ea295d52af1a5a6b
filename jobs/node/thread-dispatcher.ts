import { requestStates, type TaskBatch, type TaskRequest, type TaskResponse } from '../../compute/task.js';
import { Batcher } from '../../storage/process/batcher.js';

/** Sends a batch to a free thread. Rejects when the thread died or the signal ended it. */
export type SendTaskBatch = (batch: TaskBatch, end: AbortSignal) => Promise<(TaskResponse | null)[]>;

/** About how long the tasks of one batch may take together: the longest that a task waits for those before it. */
const batchMs = 4;

/** The weight of the last run in the average time of a task. */
const lastRunWeight = 0.2;

/** A task that waits for a thread or runs in one. */
interface DispatchedTask {
  request: TaskRequest;
  signal: AbortSignal;
  /** Its thread died with several tasks. Each of them gets a thread of its own, which finds the one that kills threads. */
  alone: boolean;
  /** The batch it was sent with; null while it waits. */
  sent: SentTasks | null;
  settled: boolean;
  settle: (outcome: TaskResponse | Error) => void;
}

interface SentTasks {
  tasks: DispatchedTask[];
  states: Int32Array | undefined;
  end: AbortController;
}

/**
 * Gives tasks to the threads of a pool in the order in which they come. A message to a thread and back costs as much as a
 * small task, so small tasks of the same name are sent as one batch.
 */
export class ThreadDispatcher {
  readonly #send: SendTaskBatch;
  readonly #averageMs = new Map<string, number>();
  readonly #batcher: Batcher<DispatchedTask>;

  constructor(threads: number, send: SendTaskBatch) {
    this.#send = send;
    this.#batcher = new Batcher<DispatchedTask>({
      send: (tasks) => this.#sendBatch(tasks),
      concurrency: threads,
      spread: true,
      keyOf: ({ request }) => request.name,
      maxSize: batchMs,
      // A task whose time is not known yet is sent alone.
      sizeOf: ({ request, alone }) => (alone ? Infinity : (this.#averageMs.get(request.name) ?? Infinity)),
    });
  }

  /** The response of the thread. Rejects with the reason of the signal once it is aborted, or when the thread died. */
  run(request: TaskRequest, signal: AbortSignal): Promise<TaskResponse> {
    return new Promise((resolve, reject) => {
      const abort = () => this.#drop(task);
      const task: DispatchedTask = {
        request,
        signal,
        alone: false,
        sent: null,
        settled: false,
        settle: (outcome) => {
          task.settled = true;
          signal.removeEventListener('abort', abort);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      if (signal.aborted) return this.#drop(task);
      signal.addEventListener('abort', abort, { once: true });
      this.#batcher.push(task);
    });
  }

  async #sendBatch(tasks: DispatchedTask[]): Promise<void> {
    const states = tasks.length > 1 ? new Int32Array(new SharedArrayBuffer(4 * tasks.length)) : undefined;
    const sent: SentTasks = { tasks, states, end: new AbortController() };
    for (const task of tasks) task.sent = sent;
    const requests = tasks.map(({ request }) => request);
    try {
      const responses = await this.#send(states ? { requests, states } : { requests }, sent.end.signal);
      responses.forEach((response, n) => this.#settle(tasks[n], response));
    } catch (error) {
      this.#sendAgain(sent, error);
    }
  }

  #settle(task: DispatchedTask, response: TaskResponse | null): void {
    if (task.settled || response === null) return;
    if (response.ok) this.#learn(task.request.name, response.computeMs);
    task.settle(response);
  }

  #learn(name: string, tookMs: number): void {
    const before = this.#averageMs.get(name) ?? tookMs;
    this.#averageMs.set(name, before + (tookMs - before) * lastRunWeight);
  }

  /** A thread died. A task that was alone in it fails; of several, those without a response are the next to run. */
  #sendAgain({ tasks, end }: SentTasks, error: unknown): void {
    const [only] = tasks;
    if (tasks.length === 1 && !only.settled) return only.settle(error as Error);
    const again = tasks.filter(({ settled }) => !settled);
    for (const task of again) {
      task.sent = null;
      task.alone = !end.signal.aborted;
    }
    this.#batcher.putBack(again);
  }

  /** Rejects a task and removes it. If it has begun, its thread is ended. */
  #drop(task: DispatchedTask): void {
    task.settle(task.signal.reason as Error);
    const { sent } = task;
    if (!sent) return void this.#batcher.remove(task);
    const { waiting, dropped } = requestStates;
    const index = sent.tasks.indexOf(task);
    if (sent.states && Atomics.compareExchange(sent.states, index, waiting, dropped) === waiting) return;
    sent.end.abort();
  }
}
