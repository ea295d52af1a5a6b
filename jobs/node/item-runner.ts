import { randomUUID } from 'node:crypto';
import { AppError, errorToData, type ErrorData } from '../../compute/model/errors.js';
import type { ActivityRecorder } from '../../storage/cluster/activity-recorder.js';
import type { DeadLetters } from '../../storage/cluster/dead-letters.js';
import { mapStorageError } from '../../storage/index.js';
import type { Metrics } from '../../storage/process/metrics.js';
import { preparedSchemas } from '../../storage/process/prepared-schemas.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { AnyJob } from '../definitions/index.js';
import { overLimit, type JobRun } from '../job.js';
import { EncodedResult } from '../requests/encoded-result.js';
import type { ResultStore } from '../requests/result-store.js';
import { failureOf, isBug } from './failure.js';
import type { ItemRun } from './item-run.js';
import type { NodeTools } from './node-tools.js';

const strict = preparedSchemas({ convert: false });

/**
 * How a run ended: `sent`: its result is stored and sent; `elsewhere`: another run computes the same and sends its result;
 * `result`: the result was stored before; `error`.
 */
export type RunOutcome =
  | { kind: 'sent' | 'elsewhere' }
  | { kind: 'result'; text: string }
  | { kind: 'error'; error: ErrorData };

type GoodOutcome = Exclude<RunOutcome, { kind: 'error' }>;

/** The names of good outcomes in metrics and spans. */
export const outcomeNames = { sent: 'computed', result: 'shared', elsewhere: 'elsewhere' } as const;

const renewMs = 2_000;
const defaultKeepMs = 3_600_000;

/** A job runs again when its thread died: another task may have killed the thread. */
const maxTries = 2;

export interface ItemRunnerOptions<Tools> {
  jobs: readonly AnyJob<Tools>[];
  tools: NodeTools<Tools>;
  results: ResultStore;
  /** Keeps the failures that are bugs or crashes. */
  deadLetters: Pick<DeadLetters, 'add'>;
  /** The time by the clock of Redis, in ms, as deadlines are. */
  now: () => number;
  metrics?: Metrics | undefined;
  activity?: Pick<ActivityRecorder, 'record'> | undefined;
}

/** Computes items on a node: equal items once, within their time limit. A result is stored before it is sent. */
export class ItemRunner<Tools> {
  readonly #options: ItemRunnerOptions<Tools>;
  readonly #byName: ReadonlyMap<string, AnyJob<Tools>>;
  /** The ids of the items that this node has claimed, by claim. */
  readonly #claimed = new Map<string, string>();
  readonly #renewal: NodeJS.Timeout;

  constructor(options: ItemRunnerOptions<Tools>) {
    this.#options = options;
    this.#byName = new Map(options.jobs.map((job) => [job.name, job]));
    this.#renewal = setInterval(() => this.#renewClaims(), renewMs).unref();
    options.metrics?.read('items', () => [[this.#claimed.size]]);
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  /** Runs an item to its end. Never rejects. */
  async run(run: ItemRun, progress: JobRun['progress']): Promise<RunOutcome> {
    const endLimit = limitTime(run, this.#options.now());
    try {
      const outcome = await this.#answer(run, progress);
      this.#noteEnd(run, outcome.kind);
      return outcome;
    } catch (error) {
      return this.#fail(run, mapStorageError(error));
    } finally {
      endLimit();
    }
  }

  /** Whether this release has the job and takes the payload, which may be of another one. */
  canRun({ name, payload }: ItemRun['item']): boolean {
    const job = this.#byName.get(name);
    return job !== undefined && !strict(job.payload).validate(payload).error;
  }

  /** The stored result; else claims the item, computes it, and stores and sends the result. */
  async #answer(run: ItemRun, progress: JobRun['progress']): Promise<GoodOutcome> {
    const { results, metrics } = this.#options;
    const { resultId: id, signal, timings, address } = run;
    signal.throwIfAborted();
    const holder = randomUUID();
    const claim = await results.claim(id, holder, address);
    if (claim === 'other') return { kind: 'elsewhere' };
    if (claim !== 'mine') return { kind: 'result', text: claim.result };
    this.#claimed.set(holder, id);
    try {
      signal.throwIfAborted();
      const { text, keepMs } = await this.#compute(run, progress);
      timings.run = run.ms;
      await results.finish({ id, holder, text, keepMs, address, timings });
      metrics?.resultStored(Buffer.byteLength(text));
      return { kind: 'sent' };
    } catch (error) {
      await results.release(id, holder).catch(() => undefined);
      throw error;
    } finally {
      this.#claimed.delete(holder);
    }
  }

  async #compute(run: ItemRun, progress: JobRun['progress']): Promise<{ text: string; keepMs: number }> {
    const { name, payload } = run.item;
    const job = this.#byName.get(name);
    if (!job) throw new AppError('unexpected', `there is no job "${name}"`);
    const checked = strict(job.payload).validate(payload);
    if (checked.error) throw new AppError('invalid_input', `job "${name}": ${checked.error.message}`);
    const keepMs = job.keepMs?.(checked.value) ?? defaultKeepMs;
    return { text: encode(name, await this.#runJob(job, checked.value, run, progress)), keepMs };
  }

  /** Runs the job, and once more when its thread died. */
  async #runJob(
    job: AnyJob<Tools>,
    payload: unknown,
    run: ItemRun,
    progress: JobRun['progress'],
  ): Promise<unknown> {
    const tools = this.#options.tools.toolsFor(job.queue);
    for (;;) {
      run.tries++;
      try {
        return await job.run(payload, tools, { signal: run.signal, timings: run.timings, progress });
      } catch (error) {
        const isThread = error instanceof AppError && error.code === 'thread_failed';
        if (!isThread || run.tries === maxTries || run.signal.aborted) throw error;
      }
    }
  }

  #noteEnd(run: ItemRun, kind: GoodOutcome['kind']): void {
    const { tools, metrics, activity } = this.#options;
    metrics?.itemEnded(run.item.name, outcomeNames[kind], run.ms);
    activity?.record('jobs', run.ms, false);
    const message = kind === 'elsewhere' ? 'job runs elsewhere' : 'job done';
    tools.log.info({ ...logFields(run), timings: run.timings }, message);
  }

  #fail(run: ItemRun, error: unknown): RunOutcome {
    const { tools, metrics, activity, deadLetters } = this.#options;
    const { item, starts, tries } = run;
    const data = errorToData(error);
    const job = this.#byName.get(item.name);
    metrics?.itemEnded(job ? item.name : 'unknown', data.code, run.ms);
    const isFault = data.code === 'time_limit' || isBug(error);
    activity?.record('jobs', run.ms, isFault);
    const level = isBug(error) ? 'error' : 'info';
    tools.log[level]({ ...logFields(run), code: data.code, err: error }, 'job failed');
    const failure = failureOf({ item, error, starts, tries }, job?.queue ?? 'analysis');
    if (failure) deadLetters.add(failure).catch(() => undefined);
    return { kind: 'error', error: data };
  }

  #renewClaims(): void {
    this.#options.results.renew(this.#claimed).catch(() => undefined);
  }
}

/** What identifies a run in the log. */
const logFields = ({ item, address: { position }, starts, span, ms }: ItemRun) => ({
  job: item.name,
  traceId: item.traceId,
  id: position.batch,
  attempt: starts,
  ...traceFields(span?.context ?? item.trace),
  ms: Math.round(ms * 100) / 100,
});

/** The JSON of a result. Throws `unexpected` for undefined, which JSON cannot express. */
function encode(name: string, result: unknown): string {
  const text = (result instanceof EncodedResult ? result.text : JSON.stringify(result)) as string | undefined;
  if (text === undefined) throw new AppError('unexpected', `"${name}" gave no result`);
  return text;
}

/** Ends a run when its time is over, unless the returned function is called before. */
function limitTime(run: ItemRun, now: number): () => void {
  const { name, limitMs, deadline } = run.item;
  const end = () => run.end(overLimit(name, limitMs));
  // Clocks may differ, but no request waits longer than its limit.
  const remainingMs = Math.min(limitMs, deadline - now);
  if (remainingMs <= 0) end();
  const timer = setTimeout(end, Math.max(0, remainingMs));
  return () => clearTimeout(timer);
}
