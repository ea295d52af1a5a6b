import { randomUUID } from 'node:crypto';
import { AppError, errorToData, type ErrorData } from '../../compute/model/errors.js';
import type { DeadLetters } from '../../storage/cluster/dead-letters.js';
import { mapStorageError } from '../../storage/index.js';
import type { Metrics } from '../../storage/process/metrics.js';
import type { AnyJob } from '../definitions/index.js';
import { failureOf, type FailedItem } from './failure.js';
import { overLimit, type JobRun, type NodeTools } from '../job.js';
import { JsonText } from '../requests/json-text.js';
import type { Asker, ResultStore } from '../requests/result-store.js';
import type { Item, Timings } from '../requests/wire.js';

/** How an item ended: whoever asked has been told, or will be by another; or with a result that was there; or with an error. */
export type Ended =
  | { kind: 'told' | 'elsewhere' }
  | { kind: 'result'; text: string; timings: Timings }
  | { kind: 'error'; error: ErrorData };

/** What goes between a run and those who asked for it. */
export interface Asking {
  /** Aborted with an AppError when nobody waits any more, and by the runner when the time is over. */
  end: AbortController;
  progress: JobRun['progress'];
  /** Where the result is told. */
  asker: Asker;
  /** For the log: the batch it came with, and how many nodes have started on that. */
  facts: Readonly<{ id: string; attempt: number }>;
}

/** What a run has come to so far: where its time went, and how often the job was tried here. */
interface RunSoFar {
  signal: AbortSignal;
  timings: Timings;
  started: number;
  tries: number;
}

const renewMs = 2_000;
const keepMs = 3_600_000;

/** A thread may die of what another task did to it: what it ran gets a second try. */
const attempts = 2;

export interface ItemRunnerOptions<Tools> {
  jobs: readonly AnyJob<Tools>[];
  tools: NodeTools<Tools>;
  results: ResultStore;
  /** Takes what fails by a bug or a crash. */
  deadLetters: Pick<DeadLetters, 'add'>;
  /** The time by the clock that deadlines are told by. */
  now: () => number;
  metrics?: Metrics | undefined;
}

/** Computes items on a node: each once, however many ask, within its time, and its result stored before it is told. */
export class ItemRunner<Tools> {
  readonly #options: ItemRunnerOptions<Tools>;
  readonly #byName: ReadonlyMap<string, AnyJob<Tools>>;
  /** What is being computed here, by holder. */
  readonly #holding = new Map<string, string>();
  readonly #renewal: NodeJS.Timeout;

  constructor(options: ItemRunnerOptions<Tools>) {
    this.#options = options;
    this.#byName = new Map(options.jobs.map((job) => [job.name, job]));
    this.#renewal = setInterval(() => this.#renew(), renewMs).unref();
    options.metrics?.read('items', () => [[this.#holding.size]]);
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  /** Never rejects. */
  async run(item: Item, asking: Asking): Promise<Ended> {
    const { tools, metrics } = this.#options;
    const { log } = tools;
    const started = performance.now();
    const about = () => ({ job: item.name, traceId: item.traceId, ...asking.facts, ms: roundedMs(started) });
    const unlimit = limitTime(item, this.#options.now(), asking.end);
    const timings: Timings = {};
    const soFar: RunSoFar = { signal: asking.end.signal, timings, started, tries: 0 };
    try {
      const ended = await this.#answer(item, asking, soFar);
      metrics?.itemEnded(item.name, outcomes[ended.kind], performance.now() - started);
      log.info({ ...about(), timings }, ended.kind === 'elsewhere' ? 'job runs elsewhere' : 'job done');
      return ended;
    } catch (error) {
      const named = mapStorageError(error);
      const data = errorToData(named);
      const known = this.#byName.has(item.name) ? item.name : 'unknown';
      metrics?.itemEnded(known, data.code, performance.now() - started);
      const fault = !(named instanceof AppError) || named.kind === 'bug';
      log[fault ? 'error' : 'info']({ ...about(), code: data.code, err: named }, 'job failed');
      this.#bury({ item, error: named, starts: asking.facts.attempt, tries: soFar.tries });
      return { kind: 'error', error: data };
    } finally {
      unlimit();
    }
  }

  /** Keeps a failure that is not the asker's fault for an operator to look at. */
  #bury(failed: FailedItem): void {
    const queue = this.#byName.get(failed.item.name)?.queue ?? 'analysis';
    const failure = failureOf(failed, queue);
    if (failure) this.#options.deadLetters.add(failure).catch(() => undefined);
  }

  /** The stored result, or one's own, which is told as it is stored, unless another computes it. */
  async #answer(
    item: Item,
    { asker, progress }: Asking,
    soFar: RunSoFar,
  ): Promise<Exclude<Ended, { kind: 'error' }>> {
    const { results, metrics } = this.#options;
    const { signal, timings, started } = soFar;
    signal.throwIfAborted();
    const holder = randomUUID();
    const claim = await results.claim(item.id, holder, asker);
    if (claim === 'other') return { kind: 'elsewhere' };
    if (claim !== 'mine') return { kind: 'result', text: claim.result, timings };
    this.#holding.set(holder, item.id);
    try {
      signal.throwIfAborted();
      const { result, keep } = await this.#compute(item, { signal, timings, progress }, soFar);
      const text = textOf(item.name, result);
      timings.run = performance.now() - started;
      await results.finish({ id: item.id, holder, text, keepMs: keep, asker, timings });
      metrics?.resultStored(Buffer.byteLength(text));
      return { kind: 'told' };
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
    soFar: RunSoFar,
  ): Promise<{ result: unknown; keep: number }> {
    const job = this.#byName.get(name);
    if (!job) throw new AppError('unexpected', `there is no job "${name}"`);
    const checked = job.payload.validate(payload, { convert: false });
    if (checked.error) throw new AppError('invalid_input', `job "${name}": ${checked.error.message}`);
    const tools = this.#options.tools.toolsFor(job.queue);
    const keep = job.keepMs?.(checked.value) ?? keepMs;
    for (;;) {
      soFar.tries++;
      try {
        return { result: await job.run(checked.value, tools, run), keep };
      } catch (error) {
        const again = error instanceof AppError && error.code === 'thread_failed' && soFar.tries < attempts;
        if (!again || run.signal.aborted) throw error;
      }
    }
  }

  #renew(): void {
    this.#options.results.renew(this.#holding).catch(() => undefined);
  }
}

/** How the metrics call the ways in which an item ends well. */
export const outcomes = { told: 'computed', result: 'shared', elsewhere: 'elsewhere' } as const;

const roundedMs = (started: number): number => Math.round((performance.now() - started) * 100) / 100;

/** A result as it travels. Throws `unexpected` for one that is not there, as JSON has no word for it. */
function textOf(name: string, result: unknown): string {
  const text = (result instanceof JsonText ? result.text : JSON.stringify(result)) as string | undefined;
  if (text === undefined) throw new AppError('unexpected', `"${name}" gave no result`);
  return text;
}

/** Ends a run when its time is over, until the returned function is called. */
function limitTime({ name, limitMs, deadline }: Item, now: number, end: AbortController): () => void {
  const late = () => end.abort(overLimit(name, limitMs));
  // Whatever the clocks say, nobody waits for longer.
  const remaining = Math.min(limitMs, deadline - now);
  if (remaining <= 0) late();
  const timer = setTimeout(late, Math.max(0, remaining));
  return () => clearTimeout(timer);
}
