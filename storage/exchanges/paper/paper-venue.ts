import type { Redis } from 'ioredis';
import type { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import type { Storage } from '../../index.js';
import { paperName } from '../exchange-names.js';
import type { Market } from '../../candles/series.js';
import type {
  AccountFill,
  OpenVenueOrder,
  OrderRef,
  Placement,
  TradingVenue,
  VenueHolding,
  VenueOrder,
  VenueOrderState,
  VenuePosition,
} from '../trading-venue.js';
import { PaperAccounts } from './paper-accounts.js';
import { isPositionAccount, marginRules } from './margin/margin-states.js';
import { PaperMargin } from './margin/paper-margin.js';
import { PaperFunds } from './paper-funds.js';
import { PaperPlacement } from './paper-placement.js';
import { RecentPrices } from './recent-prices.js';
import { cancelPaperOrders, withdrawnState } from './cancel-paper-orders.js';
import { ownPaperOrder, stateOf, storedOrders, venueFill, type StoredPaperOrder } from './paper-rows.js';

export interface PaperVenueOptions {
  storage: Pick<Storage, 'accounts' | 'paperMargin' | 'paperOrders'>;
  redis: Redis;
  /** The balance of each new account (SPOT, MARGIN and FUTURES), in USDT. */
  startingBalance: string;
  /** The market that is followed. Default: the demo market, the only one whose prices match orders. */
  market?: Market;
}

/**
 * The exchange of play money, on the prices of the demo market. Orders are taken here, matched by `PaperMatcher`, and what was
 * filled is booked in the account by `PaperSettler`.
 */
export class PaperVenue implements TradingVenue {
  readonly id = paperName;
  readonly standingStops: ReadonlySet<TradingAccount> = new Set(['SPOT', 'MARGIN', 'FUTURES']);
  readonly tellsLiquidations = true;
  readonly #orders: Storage['paperOrders'];
  readonly #accounts: PaperAccounts;
  readonly #prices: RecentPrices;
  readonly #margin: PaperMargin;
  readonly #market: Market;

  constructor({ storage, redis, startingBalance, market = 'demo' }: PaperVenueOptions) {
    this.#orders = storage.paperOrders;
    this.#accounts = new PaperAccounts(storage.accounts, startingBalance);
    this.#prices = new RecentPrices(redis);
    this.#margin = new PaperMargin(storage, this.#prices, startingBalance);
    this.#market = market;
  }

  async rules(pair: PairSymbols, account: TradingAccount): Promise<PairRules | null> {
    if (this.#market !== 'demo') return null;
    return isPositionAccount(account) ? marginRules(pair, account) : demoPairRules(pair);
  }

  async freeBalances(
    userIds: readonly string[],
    asset: string,
    account: TradingAccount,
  ): Promise<Map<string, Decimal>> {
    if (isPositionAccount(account)) return this.#margin.freeBalances(userIds, asset, account);
    const funds = await this.#funds(userIds);
    return new Map([...funds].map(([userId, each]) => [userId, each.free(asset)]));
  }

  async place(orders: readonly VenueOrder[]): Promise<Placement[]> {
    const refused = await this.#makeRoom(orders.filter(({ replaces }) => replaces));
    const placed = await this.#byAccount(
      orders.filter((order) => !refused.has(order)),
      (some) => this.#placeOnSpot(some),
      (some) => this.#margin.place(some),
    );
    return orders.map((order) => refused.get(order) ?? placed.shift()!);
  }

  /** Cancels the orders whose place others take, and refuses those whose predecessor was filled meanwhile. */
  async #makeRoom(orders: readonly VenueOrder[]): Promise<Map<VenueOrder, Placement>> {
    const old = orders.length === 0 ? [] : await this.cancel(orders.map(({ replaces }) => replaces!));
    const late = orders.filter(({ replaces }, n) => old[n] && old[n].filled.compare(replaces!.filled) !== 0);
    return new Map(late.map((order) => [order, { refused: filledMeanwhile }]));
  }

  async #placeOnSpot(orders: readonly VenueOrder[]): Promise<Placement[]> {
    const prices = await this.#prices.find(
      orders.filter(({ type }) => type === 'market').map(({ pair }) => pair),
    );
    const placement = new PaperPlacement(orders, prices, {
      orders: this.#orders,
      fundsOf: (userIds) => this.#funds(userIds),
      find: (refs) => this.find(refs),
    });
    return placement.run();
  }

  cancel(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    return this.#byAccount(
      refs,
      (some) => this.#cancelOnSpot(some),
      (some) => this.#margin.cancel(some),
    );
  }

  async #cancelOnSpot(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    await cancelPaperOrders(this.#orders, refs);
    return this.#findOnSpot(refs);
  }

  find(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    return this.#byAccount(
      refs,
      (some) => this.#findOnSpot(some),
      (some) => this.#margin.find(some),
    );
  }

  /** Asks both kinds of accounts for their part, and puts the answers in the order of `refs`. */
  async #byAccount<Ref extends OrderRef, Answer>(
    refs: readonly Ref[],
    onSpot: (refs: readonly Ref[]) => Promise<Answer[]>,
    onMargin: (refs: readonly Ref[]) => Promise<Answer[]>,
  ): Promise<Answer[]> {
    const [margin, spot] = [true, false].map((is) =>
      refs.filter((ref) => isPositionAccount(ref.account) === is),
    );
    if (margin.length === 0) return onSpot(refs);
    const answered = new Map<Ref, Answer>();
    const [spots, margins] = await Promise.all([spot.length === 0 ? [] : onSpot(spot), onMargin(margin)]);
    for (const [n, ref] of spot.entries()) answered.set(ref, spots[n]);
    for (const [n, ref] of margin.entries()) answered.set(ref, margins[n]);
    return refs.map((ref) => answered.get(ref)!);
  }

  /** In the order of `refs`. */
  async #findOnSpot(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    const rows = await this.#orders.ofOrders(refs.map(({ clientOrderId }) => clientOrderId));
    const orders = storedOrders(rows);
    return refs.map((ref) => {
      const order = ownPaperOrder(orders, ref);
      return order ? stateOf(order) : withdrawnState(rows, ref);
    });
  }

  async openOrders(userId: string): Promise<OpenVenueOrder[]> {
    const [live, margin] = await Promise.all([this.#orders.live([userId]), this.#margin.openOrders(userId)]);
    const spot = [...storedOrders(live).values()]
      .filter(({ progress }) => progress.end === null)
      .sort((one, other) => one.row.seq - other.row.seq)
      .map((stored) => ({ order: openOnSpot(stored), placedAt: stored.row.placedAt }));
    return [...spot, ...margin].sort((one, other) => one.placedAt - other.placedAt).map(({ order }) => order);
  }

  async holdings(userId: string): Promise<VenueHolding[]> {
    const [byUser, margin] = await Promise.all([this.#funds([userId]), this.#margin.holdings(userId)]);
    const funds = byUser.get(userId)!;
    const spot = funds.assets.map((asset): VenueHolding => ({
      account: 'SPOT',
      asset,
      free: funds.free(asset),
      total: funds.total(asset),
    }));
    return [...spot, ...margin];
  }

  positions(userId: string): Promise<VenuePosition[]> {
    return this.#margin.positions(userId);
  }

  async fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    if (isPositionAccount(account)) return this.#margin.fillsSince(userId, pair, account, sinceMs);
    const events = await this.#orders.fillsSince(userId, pair, sinceMs);
    return events.flatMap((row) => venueFill(row));
  }

  async #funds(userIds: readonly string[]): Promise<Map<string, PaperFunds>> {
    // Rows first: a fill that is booked in between counts once, since the account names it.
    const rows = groupBy(await this.#orders.live(userIds), ({ userId }) => userId);
    const accounts = await this.#accounts.ofUsers(userIds);
    return new Map(
      [...accounts].map(([userId, { account }]) => [userId, new PaperFunds(account, rows.get(userId) ?? [])]),
    );
  }
}

const filledMeanwhile = 'the order that it replaces was filled meanwhile';

const openOnSpot = (stored: StoredPaperOrder): OpenVenueOrder => ({
  ...stateOf(stored),
  pair: parsePair(stored.row.pair)!,
  account: 'SPOT',
});
