import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, errorToData, type ErrorData } from '../compute/model/errors.js';
import type { DeadLetters } from '../storage/dead-letters.js';
import { nameFailure } from '../storage/index.js';
import type { Metrics } from '../storage/metrics.js';
import type { AnyJob } from './definitions/index.js';
import { overLimit, poolOf, type JobRun, type NodeTools } from './job.js';
import { failureOf, type FailedItem } from './failure.js';
import type { ResultStore } from './result-store.js';
import type { Item, Timings } from './wire.js';

/** How an item ended: its result as JSON, or its error; `told` when whoever asked has been told. */
export type Ended =
  { told: true } | { told: false; text: string; timings: Timings } | { told: false; error: ErrorData };

/** What goes between a run and those who asked for it. */
export interface Asker {
  /** Aborted when nobody waits any more. */
  cancelled: AbortSignal;
  progress: JobRun['progress'];
  /** Where a result is told that took so long, and what stands before it. */
  result: (timings: Timings) => { channel: string; head: string };
  /** For the log: the job it came with, and how many nodes have started on that. */
  facts: Readonly<{ id: string; attempt: number }>;
}

/** How often the job was run here. */
interface Tries {
  count: number;
}

const renewMs = 2_000;
const askAgainMs = 20;
const keepMs = 3_600_000;

/** A thread may die of what another task did to it: what it ran gets a second try. */
const attempts = 2;

export interface ItemRunnerOptions {
  jobs: readonly AnyJob[];
  tools: NodeTools;
  results: ResultStore;
  /** Takes what fails by a bug or a crash. */
  deadLetters: Pick<DeadLetters, 'add'>;
  metrics?: Metrics | undefined;
}

/** Computes items on a node: each once, however many ask, within its time, and its result stored before it is told. */
export class ItemRunner {
  readonly #options: ItemRunnerOptions;
  readonly #byName: ReadonlyMap<string, AnyJob>;
  /** What is being computed here, by holder. */
  readonly #holding = new Map<string, string>();
  readonly #renewal: NodeJS.Timeout;
  #waiting = 0;

  constructor(options: ItemRunnerOptions) {
    this.#options = options;
    this.#byName = new Map(options.jobs.map((job) => [job.name, job]));
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref();
    options.metrics?.read('items', () => [
      [this.#holding.size, { state: 'computing' }],
      [this.#waiting, { state: 'waiting' }],
    ]);
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  /** Never rejects. */
  async run(item: Item, asker: Asker): Promise<Ended> {
    const { tools, metrics } = this.#options;
    const { log } = tools;
    const started = performance.now();
    const about = { job: item.name, traceId: item.traceId, ...asker.facts };
    const ms = () => Math.round((performance.now() - started) * 100) / 100;
    const limit = limitTime(item, asker.cancelled);
    const timings: Timings = {};
    const tries = { count: 0 };
    try {
      const run = { signal: limit.signal, timings, progress: asker.progress };
      const ended = await this.#answer(item, run, tries, () => {
        timings.run = performance.now() - started;
        return asker.result(timings);
      });
      metrics?.itemEnded(item.name, ended.told ? 'computed' : 'shared', performance.now() - started);
      log.info({ ...about, ms: ms(), timings }, 'job done');
      return ended;
    } catch (error) {
      const named = nameFailure(error);
      const data = errorToData(named);
      metrics?.itemEnded(this.#byName.has(item.name) ? item.name : 'unknown', data.code, ms());
      const fault = !(named instanceof AppError) || named.kind === 'bug';
      log[fault ? 'error' : 'info']({ ...about, ms: ms(), code: data.code, err: named }, 'job failed');
      this.#bury({ item, error: named, starts: asker.facts.attempt, tries: tries.count });
      return { told: false, error: data };
    } finally {
      limit.clear();
    }
  }

  /** Keeps a failure that is not the asker's fault for an operator to look at. */
  #bury(failed: FailedItem): void {
    const queue = this.#byName.get(failed.item.name)?.queue ?? 'analysis';
    const failure = failureOf(failed, queue);
    if (failure) this.#options.deadLetters.add(failure).catch(() => undefined);
  }

  /** The stored result, or the one that another is computing, or one's own, which is told as it is stored. */
  async #answer(
    item: Item,
    run: JobRun,
    tries: Tries,
    reply: () => ReturnType<Asker['result']>,
  ): Promise<Ended> {
    const { results, metrics } = this.#options;
    const holder = randomUUID();
    for (;;) {
      run.signal.throwIfAborted();
      const claim = await results.claim(item.id, holder);
      if (claim === 'mine') break;
      if (claim !== 'other') return { told: false, text: claim.result, timings: run.timings };
      this.#waiting++;
      await pause(askAgainMs, undefined, { signal: run.signal })
        .catch(() => run.signal.throwIfAborted())
        .finally(() => this.#waiting--);
    }
    this.#holding.set(holder, item.id);
    try {
      const { result, keep } = await this.#compute(item, run, tries);
      const text = JSON.stringify(result);
      await results.finish(item.id, holder, text, keep, reply());
      metrics?.resultStored(Buffer.byteLength(text));
      return { told: true };
    } catch (error) {
      await results.release(item.id, holder).catch(() => undefined);
      throw error;
    } finally {
      this.#holding.delete(holder);
    }
  }

  async #compute(
    { name, payload }: Item,
    run: JobRun,
    tries: Tries,
  ): Promise<{ result: unknown; keep: number }> {
    const job = this.#byName.get(name);
    if (!job) throw new AppError('unexpected', `there is no job "${name}"`);
    const checked = job.payload.validate(payload, { convert: false });
    if (checked.error) throw new AppError('invalid_input', `job "${name}": ${checked.error.message}`);
    const { pools, ...rest } = this.#options.tools;
    const tools = { ...rest, pool: pools[poolOf[job.queue]] };
    const keep = job.keepMs?.(checked.value) ?? keepMs;
    for (;;) {
      tries.count++;
      try {
        return { result: await job.run(checked.value, tools, run), keep };
      } catch (error) {
        const again = error instanceof AppError && error.code === 'thread_failed' && tries.count < attempts;
        if (!again || run.signal.aborted) throw error;
      }
    }
  }

  #renew(): void {
    for (const [holder, id] of this.#holding) this.#options.results.renew(id, holder).catch(() => undefined);
  }
}

/** A signal that aborts with an AppError as its reason: at the deadline, or when nobody waits any more. */
function limitTime(
  { name, limitMs, deadline }: Item,
  cancelled: AbortSignal,
): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const late = () => controller.abort(overLimit(name, limitMs));
  const leave = () => controller.abort(new AppError('cancelled', `"${name}" was cancelled`));
  const remaining = deadline - Date.now();
  const timer = setTimeout(late, Math.max(0, remaining));
  if (remaining <= 0) late();
  if (cancelled.aborted) leave();
  else cancelled.addEventListener('abort', leave, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', leave);
    },
  };
}
