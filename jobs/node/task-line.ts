import type { TaskRequest, TaskResponse } from '../../compute/task.js';
import { requestStates, type TaskBatch } from '../../compute/task-batch.js';

/** Sends a parcel to a free thread, and rejects when the thread died or the signal ended it. */
export type SendParcel = (parcel: TaskBatch, end: AbortSignal) => Promise<(TaskResponse | null)[]>;

/** About how long the requests of one parcel may take in all: whoever comes behind them waits as long at most. */
const parcelMs = 4;

/** Of how long a task takes, the last run counts so much. */
const lastCounts = 0.2;

/** A request on its way. */
interface Asked {
  request: TaskRequest;
  signal: AbortSignal;
  /** Its thread died with several requests: to find out whose fault it was, each gets a thread of its own. */
  alone: boolean;
  parcel: Parcel | null;
  settled: boolean;
  settle: (outcome: TaskResponse | Error) => void;
}

interface Parcel {
  asked: Asked[];
  states: Int32Array | undefined;
  end: AbortController;
}

/**
 * What waits for the threads of a pool, in the order in which it came. A message to a thread and back costs as much as
 * a small task, so small tasks of the same name travel together; a thread is never sent more than it does in a moment.
 */
export class TaskLine {
  readonly #threads: number;
  readonly #send: SendParcel;
  readonly #takesMs = new Map<string, number>();
  #waiting: Asked[] = [];
  #busy = 0;

  constructor(threads: number, send: SendParcel) {
    this.#threads = threads;
    this.#send = send;
  }

  /** Resolves with what the thread answers. Rejects with the signal's reason once it is aborted, or as the thread died. */
  run(request: TaskRequest, signal: AbortSignal): Promise<TaskResponse> {
    return new Promise((resolve, reject) => {
      const leave = () => this.#drop(asked);
      const asked: Asked = {
        request,
        signal,
        alone: false,
        parcel: null,
        settled: false,
        settle: (outcome) => {
          asked.settled = true;
          signal.removeEventListener('abort', leave);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      if (signal.aborted) return this.#drop(asked);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(asked);
      // What the same tick brings goes along.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#flush());
    });
  }

  #flush(): void {
    while (this.#busy < this.#threads && this.#waiting.length > 0) void this.#post(this.#fill());
  }

  /** As many of the first ones as are small and of one name, but no more than a fair share of all. */
  #fill(): Asked[] {
    const [{ request, alone }] = this.#waiting;
    const fair = Math.ceil(this.#waiting.length / (this.#threads - this.#busy));
    const takesMs = this.#takesMs.get(request.name) ?? Infinity;
    const most = alone ? 1 : Math.max(1, Math.min(fair, Math.floor(parcelMs / takesMs)));
    const end = this.#waiting.findIndex(
      (each, n) => n > 0 && (n === most || each.alone || each.request.name !== request.name),
    );
    return this.#waiting.splice(0, end < 0 ? most : end);
  }

  async #post(asked: Asked[]): Promise<void> {
    const states = asked.length > 1 ? new Int32Array(new SharedArrayBuffer(4 * asked.length)) : undefined;
    const parcel: Parcel = { asked, states, end: new AbortController() };
    for (const each of asked) each.parcel = parcel;
    const requests = asked.map(({ request }) => request);
    this.#busy++;
    try {
      const responses = await this.#send(states ? { requests, states } : { requests }, parcel.end.signal);
      responses.forEach((response, n) => this.#answer(asked[n], response));
    } catch (error) {
      this.#startAgain(parcel, error);
    } finally {
      this.#busy--;
      this.#flush();
    }
  }

  #answer(asked: Asked, response: TaskResponse | null): void {
    if (asked.settled || response === null) return;
    if (response.ok) this.#learn(asked.request.name, response.computeMs);
    asked.settle(response);
  }

  #learn(name: string, tookMs: number): void {
    const before = this.#takesMs.get(name) ?? tookMs;
    this.#takesMs.set(name, before + (tookMs - before) * lastCounts);
  }

  /** Nobody's request is lost with the thread that ran another's: what was not answered goes to the front again. */
  #startAgain({ asked, end }: Parcel, error: unknown): void {
    const [only] = asked;
    if (asked.length === 1 && !only.settled) return only.settle(error as Error);
    const again = asked.filter(({ settled }) => !settled);
    for (const each of again) {
      each.parcel = null;
      each.alone = !end.signal.aborted;
    }
    this.#waiting = [...again, ...this.#waiting];
  }

  /** Takes out one that nobody waits for; where it has begun, it is ended with its thread. */
  #drop(asked: Asked): void {
    asked.settle(asked.signal.reason as Error);
    const { parcel } = asked;
    if (!parcel) {
      this.#waiting = this.#waiting.filter((each) => each !== asked);
      return;
    }
    const { states, end } = parcel;
    const { waiting, dropped } = requestStates;
    const at = parcel.asked.indexOf(asked);
    if (states && Atomics.compareExchange(states, at, waiting, dropped) === waiting) return;
    end.abort();
  }
}
