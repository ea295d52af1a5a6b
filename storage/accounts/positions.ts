import { MongoBulkWriteError, type Collection, type Db } from 'mongodb';
import type { CostBasis } from './accounts.js';

/** What a user holds of one asset on one exchange, as it is shown. */
export interface Position {
  coin: string;
  exchange: string;
  quantity: number;
  /** In the quote currency; null, as are the figures made from it, while none is known. */
  currentPrice: number | null;
  /** Percent over the last 24 hours. */
  change24h: number | null;
  /** Unrealised, in the quote currency; null while the price or the cost is not known. */
  pnl: number | null;
  costBasis: CostBasis;
  /** When the price was traded or quoted, in ms. */
  pricedAt: number | null;
}

/** How an account behind the positions is doing. */
export interface AccountStatus {
  exchange: string;
  /** When it was last read whole, in ms; null where it was not, or is kept here. */
  syncedAt: number | null;
  fault: string | null;
}

/** All positions of one user: one document, so that showing them is one read. */
export interface UserPositions {
  userId: string;
  positions: Position[];
  accounts: AccountStatus[];
  /** Raised by one with each change. */
  revision: number;
}

type PositionsDocument = Omit<UserPositions, 'userId'> & { _id: string };

/** The positions of users, made from their accounts and the prices. */
export class PositionRepository {
  readonly #collection: Collection<PositionsDocument>;

  constructor(db: Db) {
    this.#collection = db.collection('positions');
  }

  /** Everything a user holds, in the order of exchanges and assets; null if nothing was ever held. */
  async find(userId: string): Promise<UserPositions | null> {
    const found = await this.#collection.findOne({ _id: userId });
    return found && toPositions(found);
  }

  async ofUsers(userIds: readonly string[]): Promise<UserPositions[]> {
    const found = await this.#collection.find({ _id: { $in: [...userIds] } }).toArray();
    return found.map(toPositions);
  }

  async remove(userId: string): Promise<void> {
    await this.#collection.deleteOne({ _id: userId });
  }

  /**
   * Writes positions where they still have the revision they were made from; 0 where there were none. Answers how many
   * had another one by then and were left as they are.
   */
  async write(all: readonly UserPositions[]): Promise<number> {
    if (all.length === 0) return 0;
    const operations = all.map(({ userId, revision, ...rest }) => ({
      updateOne: {
        filter: { _id: userId, revision },
        update: { $set: { ...rest, revision: revision + 1 } },
        upsert: revision === 0,
      },
    }));
    try {
      const { matchedCount, upsertedCount } = await this.#collection.bulkWrite(operations, {
        ordered: false,
      });
      return all.length - matchedCount - upsertedCount;
    } catch (error) {
      // Of two that make the first positions of a user at once, one meets those of the other.
      if (!(error instanceof MongoBulkWriteError && error.code === 11000)) throw error;
      return all.length - error.result.matchedCount - error.result.upsertedCount;
    }
  }
}

const toPositions = ({ _id, ...rest }: PositionsDocument): UserPositions => ({ userId: _id, ...rest });
