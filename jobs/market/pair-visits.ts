import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { Storage } from '../../storage/index.js';
import type { MarketDataSource } from '../../storage/exchanges/market-data-source.js';
import type { ThrottledLog } from '../../storage/process/throttled-log.js';
import type { RoleContext } from '../../storage/process/role.js';
import type { CandleSync } from './candle-sync.js';
import { pauseUnlessAborted } from './pause-unless-aborted.js';

export interface PairVisitsOptions {
  storage: Pick<Storage, 'leases'>;
  source: MarketDataSource;
  sync: CandleSync;
  log: ThrottledLog;
  /** Receives the progress of the history in lines of text. */
  report: RoleContext['report'];
  signal: AbortSignal;
  /** Time between two looks for due pairs. */
  pollMs?: number;
}

interface FollowedPair extends PairSymbols {
  /** When to visit the pair, by the clock of the source; Infinity during a visit. */
  dueAt: number;
  caughtUp: boolean;
}

const concurrentVisits = 4;
const defaultPollMs = 250;
/** The pause after a pair that another process visits, and after a database error. */
const leasedPauseMs = 1_000;
const errorPauseMs = 5_000;

/** Visits the followed pairs when they are due, the longest due first, several at a time. */
export class PairVisits {
  readonly #options: PairVisitsOptions;
  #pairs: FollowedPair[] = [];
  #nextReportPercent = 0;

  constructor(options: PairVisitsOptions) {
    this.#options = options;
  }

  /** Follows these pairs and no others; pairs that were followed before keep their due time. */
  follow(pairs: readonly PairSymbols[]): void {
    const known = new Map(this.#pairs.map((pair) => [pairName(pair), pair]));
    this.#pairs = pairs.map(
      ({ base, quote }) => known.get(pairName({ base, quote })) ?? { base, quote, dueAt: 0, caughtUp: false },
    );
  }

  /** Makes pairs due now, by name, except those that are being visited. */
  hasten(names: ReadonlySet<string>): void {
    const now = this.#options.source.clock();
    for (const pair of this.#pairs)
      if (names.has(pairName(pair)) && pair.dueAt !== Infinity) pair.dueAt = Math.min(pair.dueAt, now);
  }

  /** Visits pairs until the signal is aborted. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: concurrentVisits }, () => this.#visitDuePairs()));
  }

  async #visitDuePairs(): Promise<void> {
    const { source, signal, pollMs = defaultPollMs } = this.#options;
    while (!signal.aborted) {
      const due = this.#pairs.filter(({ dueAt }) => dueAt <= source.clock());
      if (due.length === 0) await pauseUnlessAborted(pollMs, signal);
      else await this.#visit(due.reduce((first, pair) => (pair.dueAt < first.dueAt ? pair : first)));
    }
  }

  async #visit(pair: FollowedPair): Promise<void> {
    const { storage, source, sync, log } = this.#options;
    const { base, quote } = pair;
    pair.dueAt = Infinity;
    try {
      const held = await storage.leases.attempt(`feed:${source.id}:${pairName(pair)}`, (lease) =>
        sync.visit({ market: source.id, base, quote }, lease),
      );
      // A pair that is due again at once comes after the pairs that are due for longer.
      pair.dueAt = held ? Math.max(held.result.againAt, source.clock()) : source.clock() + leasedPauseMs;
      if (held?.result.caughtUp && !pair.caughtUp) this.#reportCaughtUp(pair);
    } catch (error) {
      pair.dueAt = source.clock() + errorPauseMs;
      log.warn('pair not updated', error);
    }
  }

  /** Reports the progress of the history in steps of 25 % of the pairs. */
  #reportCaughtUp(pair: FollowedPair): void {
    const { source, report, signal } = this.#options;
    pair.caughtUp = true;
    const total = this.#pairs.length;
    const done = this.#pairs.filter(({ caughtUp }) => caughtUp).length;
    const percent = Math.floor((done / total) * 100);
    if (percent < this.#nextReportPercent || signal.aborted) return;
    report(
      `market ${source.id}: history of ${done} of ${total} pairs ready`,
      done === total ? 'filled' : undefined,
    );
    this.#nextReportPercent = percent === 100 ? 101 : Math.min(100, percent + 25);
  }
}
