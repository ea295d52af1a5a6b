import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';

/** New entries that are halted: all, those on one exchange, of one partner or one of its channels, or of one of them on one exchange. */
export interface TradingHalt {
  /** null: every exchange. */
  exchange: string | null;
  /** null: every partner. */
  partnerId: string | null;
  /** null or absent: every channel. */
  channelId?: string | null;
  /** Why the service has halted it; absent: an operator has. */
  cause?: string;
  since: Date;
}

type HaltScope = Pick<TradingHalt, 'exchange' | 'partnerId' | 'channelId'>;

type HaltDocument = TradingHalt & { _id: string };

const idOf = ({ exchange, partnerId, channelId = null }: HaltScope): string =>
  `${exchange ?? '*'} ${partnerId ?? '*'}${channelId === null ? '' : ` ${channelId}`}`;

/** The halts of new entries. Stops, targets and closes continue during a halt. */
export class HaltRepository {
  readonly #collection: Collection<HaltDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'halts');
  }

  /** Halts new entries; false if they are halted already: such a halt keeps its time and cause. */
  async add(scope: HaltScope & Pick<TradingHalt, 'cause'>): Promise<boolean> {
    const halt = { $setOnInsert: { ...scope, since: new Date() } };
    const { upsertedCount } = await this.#collection.updateOne({ _id: idOf(scope) }, halt, { upsert: true });
    return upsertedCount === 1;
  }

  /** The halt of a channel itself on every exchange; null if there is none. */
  async ofChannel(partnerId: string, channelId: string): Promise<TradingHalt | null> {
    const _id = idOf({ exchange: null, partnerId, channelId });
    return this.#collection.findOne({ _id }, { projection: { _id: 0 } });
  }

  /** Ends a halt; false if there is none of exactly that scope. */
  async remove(scope: HaltScope): Promise<boolean> {
    return (await this.#collection.deleteOne({ _id: idOf(scope) })).deletedCount === 1;
  }

  /** All halts, the oldest first. */
  async list(): Promise<TradingHalt[]> {
    return this.#collection
      .find({}, { projection: { _id: 0 } })
      .sort({ since: 1 })
      .toArray();
  }
}

/** Whether one of the halts holds new entries of a channel's signals on an exchange. */
export const isHaltedBy = (
  halts: readonly TradingHalt[],
  { exchange, partnerId, channelId }: { exchange: string; partnerId: string; channelId: string },
): boolean =>
  halts.some(
    (halt) =>
      (halt.exchange === null || halt.exchange === exchange) &&
      (halt.partnerId === null || halt.partnerId === partnerId) &&
      (halt.channelId ?? channelId) === channelId,
  );
