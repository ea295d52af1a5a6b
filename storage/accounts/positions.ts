import { MongoBulkWriteError, type Collection, type Db } from 'mongodb';
import type { CostBasis } from './accounts.js';
import { openCollection } from '../servers/open-collection.js';

/** A user's position in one asset on one exchange, as it is shown. */
export interface Position {
  coin: string;
  exchange: string;
  quantity: number;
  /** In the quote currency; null while no price is known. Figures that need it are null then too. */
  currentPrice: number | null;
  /** Percent over the last 24 hours. */
  change24h: number | null;
  /** Unrealised profit in the quote currency; null while price or cost is unknown. */
  pnl: number | null;
  costBasis: CostBasis;
  /** When the price was traded or quoted, in ms; null without a price. */
  pricedAt: number | null;
}

/** The status of an account behind the positions. */
export interface AccountStatus {
  exchange: string;
  /** When it was last read completely, in ms; null if never, or for the paper account. */
  syncedAt: number | null;
  fault: string | null;
}

/** All positions of one user, in one document, so that showing them takes one read. */
export interface UserPositions {
  userId: string;
  positions: Position[];
  accounts: AccountStatus[];
  /** Raised by one with each change. */
  revision: number;
}

type PositionsDocument = Omit<UserPositions, 'userId'> & { _id: string };

/** The positions of users, computed from their accounts and prices. */
export class PositionRepository {
  readonly #collection: Collection<PositionsDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'positions');
  }

  /** The positions of a user, sorted by exchange and asset; null if the user never had any. */
  async find(userId: string): Promise<UserPositions | null> {
    const found = await this.#collection.findOne({ _id: userId });
    return found && toPositions(found);
  }

  async ofUsers(userIds: readonly string[]): Promise<UserPositions[]> {
    const found = await this.#collection.find({ _id: { $in: [...userIds] } }).toArray();
    return found.map(toPositions);
  }

  /**
   * Writes positions whose stored revision is still the given one (0: none stored). Returns how many were refused because
   * they had another revision by then.
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
      // Two processes inserted the first positions of a user at the same time; one insert is refused.
      if (!(error instanceof MongoBulkWriteError && error.code === 11000)) throw error;
      return all.length - error.result.matchedCount - error.result.upsertedCount;
    }
  }
}

const toPositions = ({ _id, ...rest }: PositionsDocument): UserPositions => ({ userId: _id, ...rest });
