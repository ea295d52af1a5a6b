import type { Collection, Db } from 'mongodb';
import { openCollection } from '../servers/open-collection.js';

/** New entries that the operator has halted: all, those on one exchange, of one partner, or of one partner on one exchange. */
export interface TradingHalt {
  /** null: every exchange. */
  exchange: string | null;
  /** null: every partner. */
  partnerId: string | null;
  since: Date;
}

type HaltScope = Pick<TradingHalt, 'exchange' | 'partnerId'>;

type HaltDocument = TradingHalt & { _id: string };

const idOf = ({ exchange, partnerId }: HaltScope): string => `${exchange ?? '*'} ${partnerId ?? '*'}`;

/** The operator's halts of new entries. Stops, targets and closes continue during a halt. */
export class HaltRepository {
  readonly #collection: Collection<HaltDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'halts');
  }

  /** Halts new entries. A halt that exists already keeps its time. */
  async add(scope: HaltScope): Promise<void> {
    await this.#collection.updateOne(
      { _id: idOf(scope) },
      { $setOnInsert: { ...scope, since: new Date() } },
      { upsert: true },
    );
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

/** Whether one of the halts holds new entries of a partner's signals on an exchange. */
export const isHaltedBy = (
  halts: readonly TradingHalt[],
  { exchange, partnerId }: { exchange: string; partnerId: string },
): boolean =>
  halts.some(
    (halt) =>
      (halt.exchange === null || halt.exchange === exchange) &&
      (halt.partnerId === null || halt.partnerId === partnerId),
  );
