import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';
import type { PartnerSignal, StoredReference } from '../signals/partner-signal.js';
import type { BookedTrade } from './booked-trade.js';
import type { SignalDocument } from '../signals/signals.js';

/**
 * The result of a signal for its followers with money, or for those on paper: medians over their closed trades, and over the
 * losses that are still open.
 */
export interface SignalOutcome extends Pick<
  BookedTrade,
  'signalId' | 'channelId' | 'returnPercent' | 'r' | 'entrySlippagePercent' | 'deliverySlippagePercent'
> {
  isPaper: boolean;
  followers: number;
  /** The mean fees of followers whose trades have closed, in percent of their capital; null without any. */
  costPercent: number | null;
  /** Whether a loss is still open. */
  isOpen: boolean;
  /** When the last of these trades closed; of an open loss when it was valued. */
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
  /** null: not computed yet. */
  reference: StoredReference | null;
}

/** The fields of a signal from which its reference outcome follows. */
export type ReferencedSignal = Pick<PartnerSignal, 'id' | 'terms' | 'commands' | 'createdAt'>;

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
      replaceOne: { filter: { _id: idOf(replacement) }, replacement, upsert: true },
    }));
    await this.#collection.bulkWrite(writes, { ordered: false });
  }

  /** Removes an outcome: an open loss has become a gain, which counts once it is closed. */
  async remove(outcome: Pick<SignalOutcome, 'signalId' | 'isPaper'>): Promise<void> {
    await this.#collection.deleteOne({ _id: idOf(outcome) });
  }

  /** The signals of a channel that have an outcome with an open loss. */
  async openLosers(channelId: string): Promise<string[]> {
    const found = this.#collection.find({ channelId, isOpen: true });
    return (await found.project<Pick<SignalOutcome, 'signalId'>>({ signalId: 1, _id: 0 }).toArray()).map(
      ({ signalId }) => signalId,
    );
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
        Pick<SignalDocument, 'status' | 'createdAt' | 'reference'> & {
          _id: string;
          terms: { ttlMs: number | null };
        }
      >({ status: 1, createdAt: 1, reference: 1, 'terms.ttlMs': 1 })
      .sort({ _id: -1 })
      .limit(mostSignals)
      .toArray();
    return found.map(({ _id, status, createdAt, reference = null, terms: { ttlMs } }) => ({
      id: _id,
      isCancelled: status === 'cancelled',
      createdAt: createdAt.getTime(),
      entriesEndAt: ttlMs === null ? null : createdAt.getTime() + ttlMs,
      reference,
    }));
  }

  /** The signals of a channel since a time whose reference outcome may still change, the newest first. */
  async withoutReference(partnerId: string, channelId: string, since: Date): Promise<ReferencedSignal[]> {
    const found = this.#signals
      .find({
        partnerId,
        channelId,
        createdAt: { $gte: since },
        'reference.state': { $nin: ['closed', 'expired', 'missed'] },
      })
      .project<Omit<ReferencedSignal, 'id'> & { _id: string }>({ terms: 1, commands: 1, createdAt: 1 })
      .sort({ _id: -1 })
      .limit(mostSignals);
    return (await found.toArray()).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  /** Stores reference outcomes by the ids of their signals. Delivery and commands do not look at them. */
  async putReferences(references: ReadonlyMap<string, StoredReference>): Promise<void> {
    if (references.size === 0) return;
    const writes = [...references].map(([_id, reference]) => ({
      updateOne: { filter: { _id }, update: { $set: { reference } } },
    }));
    await this.#signals.bulkWrite(writes, { ordered: false });
  }
}

const idOf = ({ signalId, isPaper }: Pick<SignalOutcome, 'signalId' | 'isPaper'>): string =>
  `${signalId}:${isPaper ? 'paper' : 'live'}`;
