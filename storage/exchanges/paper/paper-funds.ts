import { Decimal } from '../../../compute/model/decimal.js';
import { parsePair } from '../../../compute/model/market-pair.js';
import { changesOf, lockOf } from '../../../compute/paper/paper-money.js';
import type { Account } from '../../accounts/accounts.js';
import {
  eventOf,
  isOrderRow,
  orderOf,
  storedOrders,
  type PaperEventRow,
  type PaperOrderRow,
  type StoredPaperOrder,
} from './paper-rows.js';

/** The balances of a user: the stored account, changed by fills that are not booked in it and by the locks of open orders. */
export class PaperFunds {
  readonly #total: Map<string, Decimal>;
  readonly #locked = new Map<string, Decimal>();
  /** The user's live orders. */
  readonly orders: Map<string, StoredPaperOrder>;
  /** The number of the next order of the user: the last one stays live until another follows. */
  nextSeq: number;

  /** `rows`: the live rows of the user, read before the account: a fill that reached it meanwhile counts once. */
  constructor(account: Account, rows: readonly (PaperOrderRow | PaperEventRow)[]) {
    this.orders = storedOrders(rows);
    this.#total = new Map(heldAmounts(account));
    const booked = new Set(account.booked?.map(({ id }) => id));
    for (const row of rows) if (!isOrderRow(row) && !booked.has(row._id)) this.#addFill(row);
    for (const { row, progress } of this.orders.values())
      if (progress.end === null) this.#lock(row, progress.filled);
    const seqs = [...this.orders.values()].map(({ row }) => row.seq);
    this.nextSeq = Math.max(0, ...seqs) + 1;
  }

  /** The quantity that no open order locks; 0 for an asset that the user does not have. */
  free(asset: string): Decimal {
    return this.total(asset).minus(this.#locked.get(asset) ?? Decimal.zero);
  }

  /** The whole quantity, locked or not; 0 for an asset that the user does not have. */
  total(asset: string): Decimal {
    return this.#total.get(asset) ?? Decimal.zero;
  }

  /** Assets of which the user has something. */
  get assets(): string[] {
    return [...this.#total.keys()].filter((asset) => this.total(asset).sign !== 0);
  }

  /** Counts an order that was just stored. */
  add(row: PaperOrderRow): void {
    this.orders.set(row._id, storedOrders([row]).get(row._id)!);
    this.#lock(row, Decimal.zero);
    this.nextSeq = row.seq + 1;
  }

  #lock(row: PaperOrderRow, filled: Decimal): void {
    const { asset, amount } = lockOf(orderOf(row), filled);
    this.#locked.set(asset, (this.#locked.get(asset) ?? Decimal.zero).plus(amount));
  }

  #addFill(row: PaperEventRow): void {
    const { fill } = eventOf(row);
    if (!fill) return;
    for (const { asset, amount } of changesOf({ pair: parsePair(row.pair)!, side: row.side }, fill))
      this.#total.set(asset, this.total(asset).plus(amount));
  }
}

const heldAmounts = ({ cash, holdings }: Account): [string, Decimal][] =>
  [...cash, ...holdings].map(({ asset, quantity }) => [asset, Decimal.read(quantity)]);
