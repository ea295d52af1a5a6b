import { AppError } from '../../compute/model/errors.js';
import type { Job } from '../../jobs/job.js';
import type { JobQueues } from '../../jobs/queue.js';
import { answerOf } from './ledger-jobs.js';

/** Longer than its limit and this nobody may wait, in ms. */
const graceMs = 1_000;

export interface Entry {
  n: number;
  job: string;
  /** Whom it was asked. */
  queues: JobQueues;
  askedAt: number;
  limitMs: number;
  settledAt: number | null;
  /** How often it was settled. */
  settled: number;
  /** `answered`, `wrong`, or the code of an error. */
  outcome: string;
}

export interface Sums {
  questions: number;
  answered: number;
  refused: string;
  lost: number;
  twice: number;
  hangs: number;
  /** How long those answered, and those refused, waited at most. */
  longestMs: number;
  longestRefusedMs: number;
}

type NumberedJob = Pick<Job<string, unknown, string>, 'name' | 'timeoutMs'>;

/** Every question that was asked, and how it ended. Times are of Date.now(). */
export class Ledger {
  readonly entries: Entry[] = [];

  /** Asks, and writes down the end, whichever it is. */
  ask<Payload extends { n: number }>(
    queues: JobQueues,
    job: Job<string, Payload, string>,
    payload: Payload,
  ): Entry {
    const { n } = payload;
    const entry = this.#open(n, job, queues);
    const settle = (outcome: string) => {
      entry.settled++;
      entry.settledAt ??= Date.now();
      entry.outcome = outcome;
    };
    queues.run(job, payload, { traceId: String(n), owner: String(n % 3) }).then(
      ({ result }) => settle(result === answerOf(n) ? 'answered' : 'wrong'),
      (error: unknown) => settle(error instanceof AppError ? error.code : `no AppError: ${String(error)}`),
    );
    return entry;
  }

  #open(n: number, { name, timeoutMs }: NumberedJob, queues: JobQueues): Entry {
    const entry: Entry = {
      n,
      job: name,
      queues,
      askedAt: Date.now(),
      limitMs: timeoutMs,
      settledAt: null,
      settled: 0,
      outcome: '',
    };
    this.entries.push(entry);
    return entry;
  }

  /** Those that wait now. */
  get open(): Entry[] {
    return this.entries.filter(({ settledAt }) => settledAt === null);
  }

  /** `allowed` says which error is no loss. */
  sums(allowed: (entry: Entry) => boolean): Sums {
    const { entries } = this;
    const answered = entries.filter(({ outcome }) => outcome === 'answered');
    const refused = entries.filter((entry) => entry.outcome !== 'answered' && allowed(entry));
    const codes = new Map<string, number>();
    for (const { outcome } of refused) codes.set(outcome, (codes.get(outcome) ?? 0) + 1);
    return {
      questions: entries.length,
      answered: answered.length,
      refused: [...codes].map(([code, count]) => `${count} ${code}`).join(', ') || '0',
      lost: entries.length - answered.length - refused.length,
      twice: entries.filter(({ settled }) => settled > 1).length,
      hangs: entries.filter((entry) => (entry.settledAt ?? Infinity) > endOf(entry)).length,
      longestMs: longestWait(answered),
      longestRefusedMs: longestWait(refused),
    };
  }
}

/** When it must have ended at the latest. */
export const endOf = ({ askedAt, limitMs }: Entry): number => askedAt + limitMs + graceMs;

const longestWait = (entries: readonly Entry[]): number =>
  Math.max(0, ...entries.map(({ askedAt, settledAt }) => settledAt! - askedAt));
