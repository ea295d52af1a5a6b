import pLimit from 'p-limit';
import { boundedCache } from '../process/bounded-cache.js';
import type { ExecutionReads, StatusCounts } from './execution-reads.js';
import type { PartnerSignal } from './partner-signal.js';

/** What is counted: a signal, and how many subscribers it was delivered to. */
export type DeliveredSignal = Pick<PartnerSignal, 'id'> & {
  delivery: Pick<PartnerSignal['delivery'], 'delivered'>;
};

interface ExecutionCountsOptions {
  reads: Pick<ExecutionReads, 'countsOf'>;
  /** From how many executions on the counts of a signal are remembered. */
  large?: number;
  now?: () => number;
}

/** Counts are remembered for this many times as long as counting took, so that counting takes a twentieth of the time at most. */
const timesAsLong = 20;
const longestMs = 60_000;

/**
 * How many executions of a signal have which status, for its partner. MongoDB walks all executions of a signal to count them; the
 * embedded one takes half a second for 10,000. So signals with many executions are counted one at a time, for all requests together,
 * and their counts are remembered for up to a minute. Those of other signals are always read.
 */
export class ExecutionCounts {
  readonly #reads: Pick<ExecutionReads, 'countsOf'>;
  readonly #large: number;
  readonly #now: () => number;
  readonly #remembered = boundedCache<{ counts: StatusCounts; until: number }>(20_000);
  readonly #oneAtATime = pLimit(1);

  constructor({ reads, large = 1_000, now = () => performance.now() }: ExecutionCountsOptions) {
    this.#reads = reads;
    this.#large = large;
    this.#now = now;
  }

  /** The counts by id of the signal. Signals without executions are missing. */
  async of(signals: readonly DeliveredSignal[]): Promise<Map<string, StatusCounts>> {
    const isLarge = ({ delivery }: DeliveredSignal) => delivery.delivered >= this.#large;
    const small = signals.filter((each) => !isLarge(each)).map(({ id }) => id);
    const counts = small.length > 0 ? await this.#reads.countsOf(small) : new Map<string, StatusCounts>();
    for (const { id } of signals.filter(isLarge)) counts.set(id, await this.#ofLarge(id));
    return counts;
  }

  async #ofLarge(id: string): Promise<StatusCounts> {
    return this.#recall(id) ?? this.#oneAtATime(async () => this.#recall(id) ?? this.#count(id));
  }

  #recall(id: string): StatusCounts | undefined {
    const known = this.#remembered.get(id);
    return known && this.#now() < known.until ? known.counts : undefined;
  }

  async #count(id: string): Promise<StatusCounts> {
    const startedAt = this.#now();
    const counts = (await this.#reads.countsOf([id])).get(id) ?? {};
    const endedAt = this.#now();
    this.#remembered.set(id, {
      counts,
      until: endedAt + Math.min(timesAsLong * (endedAt - startedAt), longestMs),
    });
    return counts;
  }
}
