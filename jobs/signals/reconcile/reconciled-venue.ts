import type { Decimal } from '../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type {
  AccountFill,
  Lookup,
  OpenVenueOrder,
  OrderRef,
  Placement,
  TradingVenue,
  VenueHolding,
  VenueMarket,
  VenueOrder,
  VenuePosition,
} from '../../../storage/exchanges/trading-venue.js';
import type { Reconciler } from './reconciler.js';

/** A venue that takes no order of an account before the account was compared with what is stored. */
export class ReconciledVenue implements TradingVenue {
  readonly id: string;
  readonly standingStops: ReadonlySet<TradingAccount>;
  readonly lateMs: number;
  readonly markets: ReadonlyMap<TradingAccount, VenueMarket>;
  readonly #venue: TradingVenue;
  readonly #reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>;

  constructor(venue: TradingVenue, reconciler: Pick<Reconciler, 'noteOutage' | 'ready'>) {
    this.#venue = venue;
    this.#reconciler = reconciler;
    this.id = venue.id;
    this.standingStops = venue.standingStops;
    this.lateMs = venue.lateMs ?? 0;
    this.markets = venue.markets ?? new Map<TradingAccount, VenueMarket>();
  }

  /** Orders of accounts that are not compared yet, or differ, are postponed. */
  async place(orders: readonly VenueOrder[]): Promise<Placement[]> {
    const waits = await this.#waits(new Set(orders.map(({ userId }) => userId)));
    const ready = orders.filter(({ userId }) => !waits.has(userId));
    const placements = await this.#venue.place(ready);
    const placed = new Map(placements.map((placement, n) => [ready[n], placement]));
    for (const [{ userId }, placement] of placed)
      if ('unknown' in placement) this.#reconciler.noteOutage(this.#venue, userId);
    return orders.map((order) => placed.get(order) ?? { postponed: waits.get(order.userId)! });
  }

  /** Why orders of users have to wait; users whose orders need not are missing. */
  async #waits(userIds: ReadonlySet<string>): Promise<Map<string, string>> {
    const waits = await Promise.all(
      [...userIds].map(async (userId): Promise<[string, string | null]> => {
        return [userId, await this.#reconciler.ready(this.#venue, userId)];
      }),
    );
    return new Map(waits.flatMap(([userId, why]) => (why === null ? [] : [[userId, why]])));
  }

  rules(pair: PairSymbols, account: TradingAccount): Promise<PairRules | null> {
    return this.#venue.rules(pair, account);
  }

  freeBalances(
    userIds: readonly string[],
    asset: string,
    account: TradingAccount,
    isolated?: PairSymbols,
  ): Promise<Map<string, Decimal>> {
    return this.#venue.freeBalances(userIds, asset, account, isolated);
  }

  cancel(orders: readonly OrderRef[]): Promise<Lookup[]> {
    return this.#venue.cancel(orders);
  }

  find(orders: readonly OrderRef[]): Promise<Lookup[]> {
    return this.#venue.find(orders);
  }

  openOrders(userId: string): Promise<OpenVenueOrder[]> {
    return this.#venue.openOrders(userId);
  }

  holdings(userId: string): Promise<VenueHolding[]> {
    return this.#venue.holdings(userId);
  }

  positions(userId: string): Promise<VenuePosition[]> {
    return this.#venue.positions(userId);
  }

  fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    return this.#venue.fillsSince(userId, pair, account, sinceMs);
  }
}
