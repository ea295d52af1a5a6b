import { AppError } from '../../../compute/model/errors.js';
import type { Job } from '../../../jobs/job.js';
import type { JobClient } from '../../../jobs/requests/job-client.js';
import { decodeReplies } from '../../../jobs/requests/wire.js';
import { answerOf, misbehaving } from './ledger-jobs.js';

/** Longer than its limit and this nobody may wait, in ms. */
const graceMs = 1_000;

export interface Entry {
  n: number;
  job: string;
  /** Whom it was asked. */
  queues: JobClient;
  askedAt: number;
  limitMs: number;
  settledAt: number | null;
  /** `answered`, `wrong`, or the code of an error. */
  outcome: string;
}

/** Beyond which a question was answered, or computed, too often. */
export interface Repeats {
  /** How often gateways ended a question that was not open any more, or with an answer that is not the first one's. */
  twice: number;
  /** Answers that arrived at a gateway for a place that had its answer, and computations of what was being computed. */
  toldAgain: number;
  runAgain: number;
}

export interface Sums {
  questions: number;
  answered: number;
  refused: string;
  lost: number;
  hangs: number;
  /** How long those answered, and those refused, waited at most. */
  longestMs: number;
  longestRefusedMs: number;
}

type NumberedJob = Pick<Job<string, unknown, string>, 'name' | 'timeoutMs'>;

/** Every question that was asked, and how it ended. Times are of Date.now(). */
export class Ledger {
  readonly entries: Entry[] = [];
  /** How often each number was computed, by nodes' own reports; what kills its thread is right to be tried twice. */
  readonly #runs = new Map<string, number>();
  /** How often each place of each batch was told its end. */
  readonly #told = new Map<string, number>();
  #ended = 0;

  /** Asks, and writes down the end, whichever it is. */
  ask<Payload extends { n: number }>(
    queues: JobClient,
    job: Job<string, Payload, string>,
    payload: Payload,
  ): Entry {
    const { n } = payload;
    const entry = this.#open(n, job, queues);
    const settle = (outcome: string) => {
      entry.settledAt ??= Date.now();
      entry.outcome = outcome;
    };
    queues.run(job, payload, { traceId: String(n), owner: String(n % 3) }).then(
      ({ result }) => settle(result === answerOf(n) ? 'answered' : 'wrong'),
      (error: unknown) => settle(error instanceof AppError ? error.code : `no AppError: ${String(error)}`),
    );
    return entry;
  }

  #open(n: number, { name, timeoutMs }: NumberedJob, queues: JobClient): Entry {
    const entry: Entry = {
      n,
      job: name,
      queues,
      askedAt: Date.now(),
      limitMs: timeoutMs,
      settledAt: null,
      outcome: '',
    };
    this.entries.push(entry);
    return entry;
  }

  /** A node began to compute the question of that number. */
  noteRun(number: string): void {
    if (this.entries.some(({ n, job }) => String(n) === number && job === misbehaving.name)) return;
    this.#runs.set(number, (this.#runs.get(number) ?? 0) + 1);
  }

  /** What a gateway heard on its channel. */
  noteReplies(message: string): void {
    for (const { kind, batch, index } of decodeReplies(message)) {
      if (kind === 'progress' || kind === 'again') continue;
      const place = `${batch} ${index}`;
      this.#told.set(place, (this.#told.get(place) ?? 0) + 1);
    }
  }

  /** A gateway handed out the end of a question, by its own count. */
  noteEnd(): void {
    this.#ended++;
  }

  get repeats(): Repeats {
    const beyondOne = (counts: Map<string, number>) =>
      [...counts.values()].reduce((sum, count) => sum + Math.max(0, count - 1), 0);
    const settled = this.entries.filter(({ settledAt }) => settledAt !== null).length;
    return {
      // Gateways count every end they hand out; a promise would swallow the second.
      twice: Math.max(0, this.#ended - settled),
      toldAgain: beyondOne(this.#told),
      runAgain: beyondOne(this.#runs),
    };
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
