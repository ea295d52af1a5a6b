import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';
import type { SignalDocument } from '../signals/signals.js';

/** The result of a signal for its followers with money, or for those on paper: medians over their closed trades. */
export interface SignalOutcome {
  signalId: string;
  isPaper: boolean;
  channelId: string;
  followers: number;
  returnPercent: number | null;
  r: number | null;
  entrySlippagePercent: number | null;
  /** When the last of these trades closed. */
  closedAt: Date;
}

/** The fields of a signal that the record of its channel counts. */
export interface ListedSignal {
  id: string;
  isCancelled: boolean;
  /** In ms. */
  createdAt: number;
  /** When its entries end, in ms; null: never. */
  entriesEndAt: number | null;
}

type OutcomeDocument = SignalOutcome & { _id: string };

/** A record counts at most this many signals, the newest, and this many outcomes, the last. */
const mostSignals = 10_000;

/** The outcomes of signals, and the signals of a channel. */
export class SignalOutcomeRepository {
  readonly #collection: Collection<OutcomeDocument>;
  readonly #signals: Collection<SignalDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'signal_outcomes');
    this.#signals = openCollection(db, 'signals');
  }

  async put(outcomes: readonly SignalOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const writes = outcomes.map((replacement) => ({
      replaceOne: {
        filter: { _id: `${replacement.signalId}:${replacement.isPaper ? 'paper' : 'live'}` },
        replacement,
        upsert: true,
      },
    }));
    await this.#collection.bulkWrite(writes, { ordered: false });
  }

  /** The outcomes of a channel since a time in the order in which they closed: the last ones if there are more than `limit`. */
  async ofChannel(channelId: string, since: Date, limit = mostSignals): Promise<SignalOutcome[]> {
    const found = await this.#collection
      .find({ channelId, closedAt: { $gte: since } })
      .sort({ closedAt: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return found.map(({ _id, ...outcome }) => outcome).reverse();
  }

  /** The signals of a channel of a partner that were created since a time, the newest first. */
  async signalsOf(partnerId: string, channelId: string, since: Date): Promise<ListedSignal[]> {
    const found = await this.#signals
      .find({ partnerId, channelId, createdAt: { $gte: since } })
      .project<
        Pick<SignalDocument, 'status' | 'createdAt'> & { _id: string; terms: { ttlMs: number | null } }
      >({
        status: 1,
        createdAt: 1,
        'terms.ttlMs': 1,
      })
      .sort({ _id: -1 })
      .limit(mostSignals)
      .toArray();
    return found.map(({ _id, status, createdAt, terms: { ttlMs } }) => ({
      id: _id,
      isCancelled: status === 'cancelled',
      createdAt: createdAt.getTime(),
      entriesEndAt: ttlMs === null ? null : createdAt.getTime() + ttlMs,
    }));
  }
}
