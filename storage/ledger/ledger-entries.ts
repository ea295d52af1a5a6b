import type { Collection, Db, Filter } from 'mongodb';
import { Decimal } from '../../compute/model/decimal.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import type { LedgerKind } from '../exchanges/venue-wallets.js';
import { portions } from '../servers/find-by-values.js';
import { isOnlyDuplicates } from '../servers/mongo.js';
import { openCollection } from '../servers/open-collection.js';

/** A wallet of a user on an exchange. */
export interface WalletName {
  userId: string;
  exchange: string;
  account: PositionAccount;
}

/** A line of an exchange's ledger. Amounts are decimals as text. */
export interface StoredLedgerEntry extends WalletName {
  /** The exchange's id of the line; see `LedgerEntry`. */
  id: string;
  kind: LedgerKind;
  asset: string;
  amount: string;
  /** Such as "BTC/USDT". */
  pair: string | null;
  basis: string | null;
  /** The price of the asset in the quote currency when the line was read; null if none was known. */
  price: string | null;
  at: Date;
}

/** Funding or interest that was received or paid. */
export type Payment = StoredLedgerEntry & { kind: 'funding' | 'interest' };

/** The key of a payment, unique among the payments of its user. */
export const paymentKey = ({ exchange, account, kind, id }: Payment): string =>
  `${exchange}:${account}:${kind}:${id}`;

type EntryDocument = Omit<StoredLedgerEntry, 'id'> & { _id: string; entryId: string };

const idOf = ({ userId, exchange, account, kind, id }: StoredLedgerEntry) =>
  `${userId}:${exchange}:${account}:${kind}:${id}`;

/** The ledger lines of exchanges: transfers, funding and interest of wallets. A line that is read again is stored once. */
export class LedgerEntryRepository {
  readonly #collection: Collection<EntryDocument>;

  constructor(db: Db) {
    this.#collection = openCollection(db, 'ledger_entries');
  }

  /** Stores lines, and answers those that were not stored before. */
  async add(entries: readonly StoredLedgerEntry[]): Promise<StoredLedgerEntry[]> {
    if (entries.length === 0) return [];
    const byId = new Map(entries.map((each) => [idOf(each), each]));
    const known = new Set<string>();
    for (const some of portions([...byId.keys()])) {
      const found = this.#collection.find({ _id: { $in: some } }).project<{ _id: string }>({ _id: 1 });
      for await (const { _id } of found) known.add(_id);
    }
    const fresh = [...byId].filter(([_id]) => !known.has(_id));
    if (fresh.length === 0) return [];
    try {
      await this.#collection.insertMany(
        fresh.map(([_id, { id: entryId, ...rest }]) => ({ _id, entryId, ...rest })),
        { ordered: false },
      );
    } catch (error) {
      // Another process has stored the same lines.
      if (!isOnlyDuplicates(error)) throw error;
    }
    return fresh.map(([, entry]) => entry);
  }

  /** The sum of transfers into a wallet (above 0) or out of it, by asset in alphabetical order. */
  async transferred(wallet: WalletName): Promise<{ asset: string; quantity: string }[]> {
    const { userId, exchange, account } = wallet;
    const rows = this.#collection.find({ userId, kind: 'transfer', exchange, account });
    const sums = new Map<string, Decimal>();
    for await (const { asset, amount } of rows.project<EntryDocument>({ asset: 1, amount: 1 }))
      sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(Decimal.read(amount)));
    return [...sums]
      .map(([asset, sum]) => ({ asset, quantity: sum.toString() }))
      .sort((one, other) => (one.asset < other.asset ? -1 : 1));
  }

  /** Funding and interest of a user from `since` to `until` (default: no end), the oldest first; with `of`, those of one wallet. */
  async payments(
    userId: string,
    since: Date,
    { until, of }: { until?: Date; of?: Omit<WalletName, 'userId'> } = {},
  ): Promise<Payment[]> {
    const filter: Filter<EntryDocument> = {
      userId,
      kind: { $in: ['funding', 'interest'] },
      at: { $gte: since, ...(until && { $lte: until }) },
      ...(of && { exchange: of.exchange, account: of.account }),
    };
    const found = this.#collection.find(filter, { projection: { _id: 0 } }).sort({ at: 1, _id: 1 });
    const rows = (await found.toArray()) as Omit<EntryDocument, '_id'>[];
    return rows.map(({ entryId, ...rest }) => ({ ...rest, id: entryId }) as Payment);
  }
}
