import { Decimal } from '../../../compute/model/decimal.js';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type {
  FreeBalances,
  AccountFill,
  OpenVenueOrder,
  OrderRef,
  Placement,
  TradingVenue,
  VenueHolding,
  VenueOrder,
  VenueOrderState,
  VenuePosition,
} from '../../../storage/exchanges/trading-venue.js';

const d = (text: string) => Decimal.parse(text);

interface BookOrder {
  order: VenueOrder;
  state: VenueOrderState;
}

/**
 * A venue in memory without fees: limit orders trade at the last price once it reaches them, orders at market at once. It
 * keeps everything that it was asked, and its answers can be lost.
 */
export class MemoryVenue implements TradingVenue {
  readonly id = 'PAPER';
  readonly standingStops: ReadonlySet<TradingAccount> = new Set(['SPOT', 'MARGIN', 'FUTURES']);
  /** Client order ids in the order in which they were placed, repeated ones included. */
  readonly asked: string[] = [];
  /** Users whose balances were asked for. */
  readonly balancesAsked: string[] = [];
  /** Whether it does not tell balances now. */
  isSilent = false;
  readonly tellsLiquidations = true;
  /** At which it would close every position; null: it closes none. */
  liquidationPrice: Decimal | null = null;
  /** How many placements from now on are done without an answer. */
  lostAnswers = 0;
  readonly orders = new Map<string, BookOrder>();
  /** Whether it is as real exchanges, which do not remember an order that was cancelled before it was placed. */
  isForgetful = false;
  readonly #withdrawn = new Map<string, VenueOrderState>();
  #price: Decimal | null;
  readonly #balance: Decimal;

  constructor(price: string | null, balance = '10000') {
    this.#price = price === null ? null : d(price);
    this.#balance = d(balance);
  }

  rules(): Promise<PairRules> {
    const [tickSize, stepSize, minQuantity, minNotional] = ['0.01', '0.0001', '0.0001', '5'].map(d);
    return Promise.resolve({ tickSize, stepSize, minQuantity, minNotional });
  }

  freeBalances(userIds: readonly string[]): Promise<FreeBalances> {
    this.balancesAsked.push(...userIds);
    const balance = this.isSilent ? { unknown: 'it does not answer' } : this.#balance;
    return Promise.resolve(new Map(userIds.map((userId) => [userId, balance])));
  }

  place(orders: readonly VenueOrder[]): Promise<Placement[]> {
    return Promise.resolve(orders.map((order) => this.#place(order)));
  }

  cancel(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    for (const { clientOrderId } of refs) {
      const known = this.orders.get(clientOrderId);
      if (known?.state.status === 'open') known.state = { ...known.state, status: 'cancelled' };
      const ids = { clientOrderId, exchangeOrderId: `x-${clientOrderId}` };
      if (!known && !this.isForgetful)
        this.#withdrawn.set(clientOrderId, { ...ids, status: 'cancelled', filled: Decimal.zero, fills: [] });
    }
    return this.find(refs);
  }

  find(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    const states = refs.map(({ clientOrderId: id }) => this.orders.get(id)?.state ?? this.#withdrawn.get(id));
    return Promise.resolve(states.map((state) => state ?? null));
  }

  openOrders(userId: string): Promise<OpenVenueOrder[]> {
    const open = [...this.orders.values()].filter(
      ({ order, state }) => order.userId === userId && state.status === 'open',
    );
    return Promise.resolve(open.map(({ order: { pair, account }, state }) => ({ ...state, pair, account })));
  }

  holdings(userId: string): Promise<VenueHolding[]> {
    const [free, total] = [this.#balance, this.#balance];
    const bases = new Set(this.#ofUser(userId).map(({ order }) => order.pair.base));
    const held = [...bases].map((asset): VenueHolding => {
      const amount = this.held(userId, (order) => order.account === 'SPOT' && order.pair.base === asset);
      return { account: 'SPOT', asset, free: amount, total: amount };
    });
    return Promise.resolve([{ account: 'SPOT', asset: 'USDT', free, total }, ...held]);
  }

  positions(userId: string): Promise<VenuePosition[]> {
    const traded = this.#ofUser(userId).filter(({ order }) => order.account !== 'SPOT');
    const places = new Map(
      traded.map(({ order: { account, pair } }) => [`${account} ${pairName(pair)}`, { account, pair }]),
    );
    const positions = [...places.values()].map(({ account, pair }) => {
      const isThere = (order: VenueOrder) =>
        order.account === account && pairName(order.pair) === pairName(pair);
      const quantity = this.held(userId, isThere);
      const { liquidationPrice } = this;
      return { account, pair, quantity, entryPrice: this.#price ?? Decimal.zero, liquidationPrice };
    });
    return Promise.resolve(positions.filter(({ quantity }) => quantity.sign !== 0));
  }

  fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    const fills = [...this.orders.values()]
      .filter(({ order }) => order.userId === userId && order.account === account)
      .filter(({ order }) => pairName(order.pair) === pairName(pair))
      .flatMap(({ state }) => state.fills);
    return Promise.resolve(fills.filter(({ at }) => at >= sinceMs).sort((one, other) => one.at - other.at));
  }

  /** Matches resting orders, and answers the owners of those that traded. */
  readonly match = (ticks: readonly MarketTick[]): Promise<string[]> => {
    const owners: string[] = [];
    for (const { price } of ticks) {
      this.#price = price;
      for (const book of this.orders.values()) if (this.#trade(book)) owners.push(book.order.owner);
    }
    return Promise.resolve(owners);
  };

  /** The same venue to a worker, but for what is given. */
  seenAs(more: Partial<TradingVenue>): TradingVenue {
    return {
      id: this.id,
      standingStops: this.standingStops,
      rules: () => this.rules(),
      freeBalances: (users) => this.freeBalances(users),
      place: (orders) => this.place(orders),
      find: (refs) => this.find(refs),
      cancel: (refs) => this.cancel(refs),
      openOrders: (userId) => this.openOrders(userId),
      holdings: (userId) => this.holdings(userId),
      positions: (userId) => this.positions(userId),
      fillsSince: (...asked) => this.fillsSince(...asked),
      ...more,
    };
  }

  #ofUser(userId: string): BookOrder[] {
    return [...this.orders.values()].filter(({ order }) => order.userId === userId);
  }

  /** What a user holds of the asset by all trades, or by those of some orders. */
  held(userId: string, isCounted: (order: VenueOrder) => boolean = () => true): Decimal {
    return this.#ofUser(userId)
      .filter(({ order }) => isCounted(order))
      .reduce(
        (sum, { order, state }) => (order.side === 'buy' ? sum.plus(state.filled) : sum.minus(state.filled)),
        Decimal.zero,
      );
  }

  #place(order: VenueOrder): Placement {
    const { clientOrderId } = order;
    this.asked.push(clientOrderId);
    const withdrawn = this.#withdrawn.get(clientOrderId);
    if (withdrawn) return { state: withdrawn };
    if (!this.orders.has(clientOrderId)) {
      const old = order.replaces && this.orders.get(order.replaces.clientOrderId);
      if (old?.state.status === 'open') old.state = { ...old.state, status: 'cancelled' };
      if (old && old.state.filled.compare(order.replaces!.filled) !== 0)
        return { refused: 'more of the order that it replaces is filled' };
      const state = { clientOrderId, exchangeOrderId: `x-${clientOrderId}`, status: 'open' as const };
      const book: BookOrder = { order, state: { ...state, filled: Decimal.zero, fills: [] } };
      this.orders.set(clientOrderId, book);
      this.#trade(book);
      if (order.type === 'market' && book.state.status === 'open')
        book.state = { ...book.state, status: 'expired' };
    }
    if (this.lostAnswers-- > 0) return { unknown: 'the answer was lost' };
    return { state: this.orders.get(clientOrderId)!.state };
  }

  #trade(book: BookOrder): boolean {
    const { order, state } = book;
    const price = this.#price;
    if (state.status !== 'open' || !price || !isReached(order, price)) return false;
    const { quantity } = order;
    const zero = Decimal.zero;
    const fill = { tradeId: `t-${order.clientOrderId}`, quantity, price, baseFee: zero, quoteFee: zero };
    book.state = { ...state, status: 'filled', filled: quantity, fills: [{ ...fill, at: Date.now() }] };
    return true;
  }
}

function isReached({ side, type, price, stopPrice }: VenueOrder, at: Decimal): boolean {
  const isFor = (level: Decimal) => (side === 'buy' ? at.compare(level) <= 0 : at.compare(level) >= 0);
  const isBeyond = (level: Decimal) => (side === 'buy' ? at.compare(level) >= 0 : at.compare(level) <= 0);
  if (type === 'stop') return isBeyond(stopPrice!);
  return price === null || isFor(price);
}
