import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, parsePair, type PairSymbols } from '../../../compute/model/market-pair.js';
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
import { PaperFunds } from './paper-funds.js';
import { PaperPlacement } from './paper-placement.js';
import { RecentPrices } from './recent-prices.js';
import { eventRowOf, stateOf, storedOrders, venueFill, type StoredPaperOrder } from './paper-rows.js';

export interface PaperVenueOptions {
  storage: Pick<Storage, 'accounts' | 'paperOrders'>;
  redis: Redis;
  /** The cash of a new account, in USDT. */
  startingBalance: string;
  /** The market that is followed. Default: the demo market, the only one whose prices match orders. */
  market?: Market;
}

/** Rounds of a cancellation: an order can be filled in part again and again while it is cancelled. */
const cancelTries = 20;

/**
 * The exchange of play money, on the prices of the demo market. Orders are taken here, matched by `PaperMatcher`, and what was
 * filled is booked in the account by `PaperSettler`.
 */
export class PaperVenue implements TradingVenue {
  readonly id = paperName;
  readonly standingStops: ReadonlySet<TradingAccount> = new Set(['SPOT']);
  readonly #orders: Storage['paperOrders'];
  readonly #accounts: PaperAccounts;
  readonly #prices: RecentPrices;
  readonly #market: Market;

  constructor({ storage, redis, startingBalance, market = 'demo' }: PaperVenueOptions) {
    this.#orders = storage.paperOrders;
    this.#accounts = new PaperAccounts(storage.accounts, startingBalance);
    this.#prices = new RecentPrices(redis);
    this.#market = market;
  }

  async rules(pair: PairSymbols, account: TradingAccount): Promise<PairRules | null> {
    return this.#market === 'demo' && account === 'SPOT' ? demoPairRules(pair) : null;
  }

  async freeBalances(
    userIds: readonly string[],
    asset: string,
    account: TradingAccount,
  ): Promise<Map<string, Decimal>> {
    if (account !== 'SPOT') return new Map(userIds.map((userId) => [userId, Decimal.zero]));
    const funds = await this.#funds(userIds);
    return new Map([...funds].map(([userId, each]) => [userId, each.free(asset)]));
  }

  async place(orders: readonly VenueOrder[]): Promise<Placement[]> {
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

  async cancel(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    let open = refs.map(({ clientOrderId }) => clientOrderId);
    for (let n = 0; n < cancelTries && open.length > 0; n++) {
      const stored = await this.#stored(refs.filter(({ clientOrderId }) => open.includes(clientOrderId)));
      const events = stored
        .filter((order) => order !== null)
        .filter(({ progress }) => progress.end === null)
        .map(cancelRow);
      const refused = await this.#orders.add(events);
      open = events.filter(({ _id }) => refused.has(_id)).map(({ order }) => order);
    }
    return this.find(refs);
  }

  async find(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    return (await this.#stored(refs)).map((order) => order && stateOf(order));
  }

  async openOrders(userId: string): Promise<OpenVenueOrder[]> {
    const orders = [...storedOrders(await this.#orders.live([userId])).values()];
    return orders
      .filter(({ progress }) => progress.end === null)
      .sort((one, other) => one.row.seq - other.row.seq)
      .map((order) => ({ ...stateOf(order), pair: parsePair(order.row.pair)!, account: 'SPOT' }));
  }

  async holdings(userId: string): Promise<VenueHolding[]> {
    const funds = (await this.#funds([userId])).get(userId)!;
    return funds.assets.map((asset) => ({
      account: 'SPOT',
      asset,
      free: funds.free(asset),
      total: funds.total(asset),
    }));
  }

  async positions(): Promise<VenuePosition[]> {
    return [];
  }

  async fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    if (account !== 'SPOT') return [];
    const events = await this.#orders.fillsSince(userId, pair, sinceMs);
    return events.flatMap((row) => venueFill(row).map((fill) => ({ ...fill, clientOrderId: row.order })));
  }

  /** In the order of `refs`. An order of another user or pair counts as unknown. */
  async #stored(refs: readonly OrderRef[]): Promise<(StoredPaperOrder | null)[]> {
    const orders = storedOrders(await this.#orders.ofOrders(refs.map(({ clientOrderId }) => clientOrderId)));
    return refs.map(({ userId, pair, account, clientOrderId }) => {
      const order = orders.get(clientOrderId);
      const isOwn = order?.row.userId === userId && account === 'SPOT';
      return isOwn && order.row.pair === pairName(pair) ? order : null;
    });
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

function cancelRow({ row, progress }: StoredPaperOrder) {
  const { next: number } = progress;
  return eventRowOf(row, {
    number,
    kind: 'end',
    fill: null,
    end: 'cancelled',
    reason: null,
    at: Date.now(),
  });
}
