import { Decimal } from '../../../../compute/model/decimal.js';
import { pairName, type PairSymbols } from '../../../../compute/model/market-pair.js';
import { quotientPlaces } from '../../../../compute/model/pair-rules.js';
import {
  isOpenMarginOrder,
  progressOfMargin,
  sizeOf,
  withEvent,
  type MarginAccount,
  type MarginOrder,
  type PairPrices,
} from '../../../../compute/paper/margin/margin-account.js';
import { liquidationLevel } from '../../../../compute/paper/margin/liquidation-level.js';
import { marginLevels } from '../../../../compute/paper/margin/margin-levels.js';
import { freeMargin } from '../../../../compute/paper/margin/margin-money.js';
import { marginTerms, type PositionAccount } from '../../../../compute/paper/margin/margin-terms.js';
import type { Storage } from '../../../index.js';
import { isMongoUnavailable } from '../../../servers/mongo.js';
import type {
  AccountFill,
  OpenVenueOrder,
  OrderRef,
  Placement,
  VenueHolding,
  VenueOrder,
  VenueOrderState,
  VenuePosition,
} from '../../trading-venue.js';
import type { RecentPrices } from '../recent-prices.js';
import type { ArchivedOrder } from './margin-accounts.js';
import { marginIdOf, type StoredMargin } from './stored-margin.js';
import { placeMarginOrders } from './margin-placement.js';
import {
  fillsOfAccount,
  freshMargin,
  isPositionAccount,
  knownRules,
  marginCurrency,
  stateOfMargin,
} from './margin-states.js';
import { withdrawnReason } from '../cancel-paper-orders.js';

/**
 * Stands for an order that was cancelled before it was placed: a worker that places it later is told that it has ended. Its
 * terms are not known; a quantity of 0 trades nothing.
 */
const withdrawnOrder = (id: string, pair: PairSymbols, at: number): MarginOrder => ({
  id,
  pair,
  side: 'buy',
  type: 'limit',
  price: null,
  stopPrice: null,
  quantity: Decimal.zero,
  bound: null,
  placedAt: at,
  owner: '',
  reduces: true,
  leverage: 1,
  mode: 'CROSS',
  marginEach: Decimal.zero,
  isLiquidation: false,
  events: [
    {
      number: 0,
      kind: 'end',
      fill: null,
      end: 'cancelled',
      reason: withdrawnReason,
      at,
    },
  ],
});

/** Rounds in which an account was changed by others, before it is given up. */
const mostRounds = 20;

const accounts: readonly PositionAccount[] = ['MARGIN', 'FUTURES'];

/** The margin and futures accounts of the paper exchange, each with a balance of its own. */
export class PaperMargin {
  readonly #accounts: Storage['paperMargin'];
  readonly #prices: RecentPrices;
  readonly #startingBalance: string;

  constructor(storage: Pick<Storage, 'paperMargin'>, prices: RecentPrices, startingBalance: string) {
    this.#accounts = storage.paperMargin;
    this.#prices = prices;
    this.#startingBalance = startingBalance;
  }

  async freeBalances(
    userIds: readonly string[],
    asset: string,
    account: PositionAccount,
  ): Promise<Map<string, Decimal>> {
    if (asset !== marginCurrency) return new Map(userIds.map((userId) => [userId, Decimal.zero]));
    const stored = await this.#read(userIds.map((userId) => ({ userId, account })));
    const prices = await this.#pricesOf(stored.map(({ state }) => state));
    return new Map(stored.map(({ userId, state }) => [userId, freeOf(state, prices)]));
  }

  /** Places orders for accounts with positions; the answers have their order. */
  async place(orders: readonly VenueOrder[]): Promise<Placement[]> {
    const answers = orders.map((): Placement => ({ unknown: 'the order was not placed yet' }));
    let open = orders.map((_, index) => index);
    try {
      for (let n = 0; n < mostRounds && open.length > 0; n++) open = await this.#place(orders, open, answers);
    } catch (error) {
      if (!isMongoUnavailable(error)) throw error;
      for (const index of open) answers[index] = { unknown: 'MongoDB did not answer' };
      return answers;
    }
    for (const index of open)
      answers[index] = { refused: 'too many orders of this account are placed at the same time' };
    return answers;
  }

  /** Answers the orders whose account has changed meanwhile. */
  async #place(
    orders: readonly VenueOrder[],
    open: readonly number[],
    answers: Placement[],
  ): Promise<number[]> {
    const ids = open.map((index) => orders[index].clientOrderId);
    const [stored, listing] = await Promise.all([
      this.#read(open.map((index) => orders[index])),
      this.#accounts.withOrders(ids),
    ]);
    // After the accounts: an order that has just left its account is here.
    const archived = await this.#accounts.archived(ids);
    const traded = open.filter((index) => orders[index].type === 'market').map((index) => orders[index].pair);
    const prices = await this.#pricesOf(
      stored.map(({ state }) => state),
      traded,
    );
    const decided = stored.map((before) => {
      const own = open.filter((index) => marginIdOf(orders[index]) === before.state.id);
      const others = listing.filter(({ state }) => state.id !== before.state.id);
      const taken = new Set(others.flatMap(({ state }) => state.orders.map(({ id }) => id)));
      const scene = { stored: before, archived, taken, prices, nowMs: Date.now() };
      return {
        before,
        own,
        ...placeMarginOrders(
          own.map((index) => orders[index]),
          scene,
        ),
      };
    });
    const changed = decided.filter(({ before, state }) => state !== before.state);
    const written = await this.#write(changed, prices);
    return decided.flatMap(({ before, own, state, answers: made }) => {
      if (state !== before.state && !written.has(state.id)) return own;
      for (const [n, index] of own.entries()) answers[index] = made[n];
      return [];
    });
  }

  async cancel(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    for (let n = 0, isDone = false; n < mostRounds && !isDone; n++) {
      const stored = await this.#read(refs);
      const early = await this.#notPlaced(stored, refs);
      const changed = stored
        .map((before) => ({ before, state: cancelled(before, refs, early, Date.now()) }))
        .filter(({ before, state }) => state !== before.state);
      const prices = await this.#pricesOf(changed.map(({ state }) => state));
      isDone = (await this.#write(changed, prices)).size === changed.length;
    }
    return this.find(refs);
  }

  /** Those of the orders that were not placed yet when their accounts were read. */
  async #notPlaced(stored: readonly StoredMargin[], refs: readonly OrderRef[]): Promise<ReadonlySet<string>> {
    const listed = new Set(stored.flatMap(({ state }) => state.orders.map(({ id }) => id)));
    const missing = refs.map(({ clientOrderId }) => clientOrderId).filter((id) => !listed.has(id));
    if (missing.length === 0) return new Set();
    // After the accounts: an order that has just left its account is in the archive.
    const [archived, others] = await Promise.all([
      this.#accounts.archived(missing),
      this.#accounts.withOrders(missing),
    ]);
    // An order that was placed since the accounts were read is not left out: the write is refused, and another round finds it.
    const read = new Set(stored.map(({ state }) => state.id));
    const elsewhere = others.filter(({ state }) => !read.has(state.id));
    const taken = new Set(elsewhere.flatMap(({ state }) => state.orders.map(({ id }) => id)));
    return new Set(missing.filter((id) => !archived.has(id) && !taken.has(id)));
  }

  async find(refs: readonly OrderRef[]): Promise<(VenueOrderState | null)[]> {
    const stored = new Map((await this.#read(refs)).map((each) => [each.state.id, each]));
    const listed = refs.map((ref) =>
      stored.get(marginIdOf(ref))?.state.orders.find(({ id }) => id === ref.clientOrderId),
    );
    const missing = refs.filter((_, n) => !listed[n]).map(({ clientOrderId }) => clientOrderId);
    const archived = await this.#accounts.archived(missing);
    return refs.map((ref, n) => {
      const order = listed[n] ?? ownOrder(archived.get(ref.clientOrderId), ref);
      return order && pairName(order.pair) === pairName(ref.pair) ? stateOfMargin(order) : null;
    });
  }

  /** The open orders of a user, with the time at which each was placed. */
  async openOrders(userId: string): Promise<{ order: OpenVenueOrder; placedAt: number }[]> {
    const stored = await this.#ofUser(userId);
    return stored.flatMap(({ account, state }) =>
      state.orders.filter(isOpenMarginOrder).map((order) => ({
        order: { ...stateOfMargin(order), pair: order.pair, account },
        placedAt: order.placedAt,
      })),
    );
  }

  async holdings(userId: string): Promise<VenueHolding[]> {
    const stored = await this.#ofUser(userId);
    const prices = await this.#pricesOf(stored.map(({ state }) => state));
    return stored.map(({ account, state }) => ({
      account,
      asset: marginCurrency,
      free: freeOf(state, prices),
      total: state.wallet,
    }));
  }

  async positions(userId: string): Promise<VenuePosition[]> {
    const stored = await this.#ofUser(userId);
    const prices = await this.#pricesOf(stored.map(({ state }) => state));
    return stored.flatMap(({ account, state }) =>
      state.positions.map((position) => ({
        account,
        pair: position.pair,
        quantity: position.quantity,
        entryPrice: position.entryValue.dividedBy(sizeOf(position.quantity), quotientPlaces, 'half-even'),
        liquidationPrice: liquidationLevel(state, position, prices, knownRules(position.pair)),
      })),
    );
  }

  async fillsSince(
    userId: string,
    pair: PairSymbols,
    account: PositionAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    const [{ state }] = await this.#read([{ userId, account }]);
    const archived = await this.#accounts.archivedSince(userId, account, sinceMs);
    const orders = new Map(
      [...state.orders, ...archived.map(({ order }) => order)].map((each) => [each.id, each]),
    );
    return [...orders.values()]
      .filter((order) => pairName(order.pair) === pairName(pair))
      .flatMap(fillsOfAccount)
      .filter(({ at }) => at >= sinceMs)
      .sort((one, other) => one.at - other.at || (one.tradeId < other.tradeId ? -1 : 1));
  }

  /** The accounts of the users, each once, stored or fresh. */
  async #read(owners: readonly Pick<OrderRef, 'userId' | 'account'>[]): Promise<StoredMargin[]> {
    const wanted = new Map(
      owners.flatMap(({ userId, account }): [string, StoredMargin][] =>
        isPositionAccount(account)
          ? [[marginIdOf({ userId, account }), freshMargin(userId, account, this.#startingBalance)]]
          : [],
      ),
    );
    for (const each of await this.#accounts.ofIds([...wanted.keys()])) wanted.set(each.state.id, each);
    return [...wanted.values()];
  }

  #ofUser(userId: string): Promise<StoredMargin[]> {
    return this.#read(accounts.map((account) => ({ userId, account })));
  }

  /** Last prices of these pairs and of those in which cross positions are held, which change what is free. */
  #pricesOf(states: readonly MarginAccount[], pairs: readonly PairSymbols[] = []): Promise<PairPrices> {
    const held = states.flatMap(({ positions }) => positions.filter(({ mode }) => mode === 'CROSS'));
    const wanted = [...pairs, ...held.map(({ pair }) => pair)];
    return wanted.length === 0 ? Promise.resolve(new Map()) : this.#prices.find(wanted);
  }

  #write(
    changes: readonly { before: StoredMargin; state: MarginAccount }[],
    prices: PairPrices,
  ): Promise<Set<string>> {
    return this.#accounts.write(
      changes.map(({ before, state }) => {
        const levels = marginLevels(state, prices, knownRules, marginTerms[before.account]);
        return { before, after: { state, levels } };
      }),
    );
  }
}

/** Unrealised gains of cross positions are free for further orders. */
const freeOf = (state: MarginAccount, prices: PairPrices): Decimal => freeMargin(state, prices, 'CROSS');

function ownOrder(archived: ArchivedOrder | undefined, ref: OrderRef): MarginOrder | undefined {
  return archived?.userId === ref.userId && archived.account === ref.account ? archived.order : undefined;
}

/** The account without its open orders among these; those that were not placed yet are listed as ended, and never come. */
function cancelled(
  { state }: StoredMargin,
  refs: readonly OrderRef[],
  early: ReadonlySet<string>,
  at: number,
): MarginAccount {
  return refs
    .filter((ref) => marginIdOf(ref) === state.id)
    .reduce((now, { clientOrderId: id, pair }) => {
      const order = now.orders.find((each) => each.id === id);
      if (!order && early.has(id)) return { ...now, orders: [...now.orders, withdrawnOrder(id, pair, at)] };
      if (!order || !isOpenMarginOrder(order) || pairName(order.pair) !== pairName(pair)) return now;
      const { next: number } = progressOfMargin(order);
      const end = { kind: 'end', fill: null, end: 'cancelled', reason: null } as const;
      return withEvent(now, id, { number, ...end, at });
    }, state);
}
