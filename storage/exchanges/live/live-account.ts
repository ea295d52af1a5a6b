import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange, Order } from 'ccxt';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import type { PairSymbols } from '../../../compute/model/market-pair.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type { ForcedClose } from '../../../compute/signals/execution.js';
import type { Attempt, AttemptTerms, GuardedExchange } from '../guarded-exchange.js';
import type { KeyPermissions } from '../key-permissions.js';
import type { ExchangeKey } from '../open-ccxt.js';
import { readDecimal } from '../read-decimal.js';
import type { Urgency } from '../request-limit.js';
import type {
  AccountFill,
  Lookup,
  OpenVenueOrder,
  OrderRef,
  Placement,
  ReplacedRef,
  VenueHolding,
  VenueOrder,
  VenueOrderState,
  VenueOrderStatus,
  VenuePosition,
  VenueSilence,
} from '../trading-venue.js';
import type { Venue } from '../venue.js';
import type { StreamTicket } from '../venue-user-stream.js';
import type { IsolatedAccount, ListedPosition, SymbolRef, VenueTrading } from '../venue-trading.js';
import { marketSymbol } from './market-rules.js';
import { keyRefusal, postponedBy, refusedBy, unsentPlacement } from './unsent-placement.js';
import { pairOfMarket } from './pair-of-market.js';
import { fillOfTrade, inOrder, tradedQuantity } from './fill-of-trade.js';
import { contractSizeOf, contractsOf } from './contract-size.js';
import { holdingOf, holdingsOf } from './holdings-of.js';
import { positionsOf } from './positions-of.js';
import { exchangeRefused } from '../venue-answers.js';

const statuses: Readonly<Record<string, VenueOrderStatus>> = {
  open: 'open',
  canceling: 'open',
  closed: 'filled',
  canceled: 'cancelled',
  expired: 'expired',
  rejected: 'rejected',
};

/** The status of an order from ccxt's name of it; null for any other name. */
const orderStatusOf = (status: string | undefined): VenueOrderStatus | null => statuses[status ?? ''] ?? null;

export interface LiveAccountOptions {
  guard: GuardedExchange;
  venue: Venue;
  key: ExchangeKey;
  /** A client that has loaded the markets on which the venue trades. */
  markets: Exchange;
}

/** What is known of an account, however urgent its requests are. */
interface KnownOfAccount {
  /** The leverage and margin mode that were last set, and for which execution, by market: the owner may change them in between. */
  prepared: Map<string, string>;
  /** See `VenueTrading.isHedged`, by market. */
  hedged: Map<string, boolean>;
  permissions: KeyPermissions | null;
  /** When the permissions were read, by the monotonic clock. */
  permissionsAt: number;
}

/** The account that an API key opens, for trading. No request that creates an order is repeated unless the exchange refused it. */
export class LiveAccount {
  readonly #options: LiveAccountOptions;
  readonly #guard: GuardedExchange;
  readonly #venue: Venue;
  readonly #trading: VenueTrading;
  readonly #key: ExchangeKey;
  readonly #client: Exchange;
  readonly #known: KnownOfAccount;
  readonly #urgency: Urgency;

  static async open(options: LiveAccountOptions): Promise<LiveAccount> {
    const { guard, venue, key, markets } = options;
    const client = await guard.withKey(key);
    client.setMarketsFromExchange(markets);
    // Prices and quantities are rounded to tick and step already. ccxt would round them as binary floats.
    client.amountToPrecision = (_symbol, amount) => String(amount);
    client.priceToPrecision = (_symbol, price) => String(price);
    venue.trading!.prepareClient(client);
    return new LiveAccount(options, client, 'decide');
  }

  private constructor(
    options: LiveAccountOptions,
    client: Exchange,
    urgency: Urgency,
    known: KnownOfAccount = { prepared: new Map(), hedged: new Map(), permissions: null, permissionsAt: 0 },
  ) {
    const { guard, venue, key } = options;
    this.#options = options;
    this.#urgency = urgency;
    this.#known = known;
    this.#guard = guard;
    this.#venue = venue;
    this.#trading = venue.trading!;
    this.#key = key;
    this.#client = client;
  }

  /** The same account, whose requests are as urgent as this. */
  as(urgency: Urgency): LiveAccount {
    return new LiveAccount(this.#options, this.#client, urgency, this.#known);
  }

  /**
   * Readies the client, and says why the key may not be used for orders, or that the exchange does not say so now; null if it may.
   * Throws as `GuardedExchange.askAsOwner` does, but for an exchange that does not answer: what reduces a position needs no answer.
   */
  async ready(): Promise<AppError | null> {
    try {
      if (this.#venue.prepareClient) await this.#ask(() => this.#venue.prepareClient!(this.#client));
      return await this.#objection();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'exchange_unavailable') throw error;
      for (const [name, value] of Object.entries(this.#trading.assumedOptions ?? {}))
        this.#client.options[name] ??= value;
      return error;
    }
  }

  async #objection(): Promise<AppError | null> {
    const permissions = await this.#readPermissions();
    const { id } = this.#venue;
    const objection =
      permissions?.objection ??
      (await this.#ask(async () => (await this.#trading.objection?.(this.#client)) ?? null));
    if (objection !== null) return exchangeRefused(objection);
    if (!permissions) return exchangeRefused(`${id} did not say what the key may do`);
    if (permissions.mayWithdraw)
      return exchangeRefused(`the key may withdraw from ${id}; make one that may only read and trade`);
    return permissions.mayTrade ? null : exchangeRefused(`the key may not trade on ${id}`, 'key');
  }

  /**
   * Whether the key opens an account. If it does not and the account is `needed`, its permissions are read again, at most once a
   * minute, because the owner can change them.
   */
  async opens(account: TradingAccount, isNeeded: boolean): Promise<boolean> {
    const isOld = performance.now() - this.#known.permissionsAt > permissionsMs;
    if (!this.opensNow(account) && isNeeded && isOld) await this.#readPermissions();
    return this.opensNow(account);
  }

  /** Whether the key opens an account, as far as its permissions were read. */
  opensNow(account: TradingAccount): boolean {
    return this.#known.permissions?.accounts.includes(account) ?? true;
  }

  /** Asks for the private stream of a part of the account. */
  async openStream(part: string): Promise<StreamTicket> {
    const { url, requests, isTold } = await this.#ask(() => this.#venue.userStream!.open(this.#client, part));
    return { url: isTold ? url : this.#guard.addressOf(url), requests };
  }

  async #readPermissions(): Promise<KeyPermissions | null> {
    this.#known.permissions = await this.#ask(() => this.#venue.readPermissions(this.#client));
    this.#known.permissionsAt = performance.now();
    return this.#known.permissions;
  }

  async create(order: VenueOrder): Promise<Placement> {
    if (order.account !== 'FUTURES') return this.#createAs(order, false);
    const { symbol } = refOf(order);
    try {
      // What protects does not wait for that answer: with the other mode the exchange refuses it, and does nothing.
      const isHedged = await this.isHedged(symbol).catch((error: unknown) => {
        if (order.reduces) return false;
        throw error;
      });
      const placed = await this.#createAs(order, isHedged);
      if (!('refused' in placed)) return placed;
      // The owner may have changed the mode since it was read.
      this.#known.hedged.delete(symbol);
      const isNow = await this.isHedged(symbol).catch(() => isHedged);
      return isNow === isHedged ? placed : await this.#createAs(order, isNow);
    } catch (error) {
      return unsentPlacement(error);
    }
  }

  async #createAs(order: VenueOrder, isHedged: boolean): Promise<Placement> {
    const ref = refOf(order);
    try {
      if (order.account !== 'SPOT' && !order.reduces) await this.#prepare(order, ref.symbol);
    } catch (error) {
      return unsentPlacement(error);
    }
    const old = order.replaces;
    const trading = this.#trading;
    const isPaired = order.targetPrice !== undefined || old?.targetPrice !== undefined;
    if (old && trading.replaceOrder && order.account === 'SPOT' && old.filled.sign === 0 && !isPaired) {
      const terms = { ...ref, replaced: old.clientOrderId };
      const placed = await this.#create(order, () => trading.replaceOrder!(this.#client, order, terms));
      const { clientOrderId, exchangeOrderId, filled } = old;
      if ('refused' in placed && isUntouched(await this.find(old))) await this.#putBack(order, old);
      if (!('state' in placed) || !exchangeOrderId) return placed;
      // It had no fill, or the request would have been refused.
      return {
        ...placed,
        replaced: { clientOrderId, exchangeOrderId, status: 'cancelled', filled, fills: [] },
      };
    }
    const create = (first?: () => Promise<void>) =>
      this.#create(order, () => this.#send(order, ref.symbol, isHedged), first);
    // On futures both stand for a moment, because they only reduce; the caller cancels the old one afterwards.
    if (!old || order.account === 'FUTURES') return create();
    // The old one is cancelled once the new one is admitted, never before.
    let gone: Lookup = null;
    let obstacle: Placement | null = null;
    const placed = await create(async () => {
      gone = await this.#makeRoom(old);
      obstacle = obstacleOf(gone, old);
      if (obstacle) throw exchangeRefused('the order that it replaces stands in the way');
    });
    if (obstacle) return obstacle;
    if ('refused' in placed && isUntouched(gone)) await this.#putBack(order, old);
    return 'state' in placed && gone ? { ...placed, replaced: gone } : placed;
  }

  /** Places an order again that was cancelled for one that the exchange has refused. If it refuses that, too, nothing stands. */
  async #putBack(refused: VenueOrder, old: ReplacedRef): Promise<void> {
    const { owner, leverage, marginMode, reduces } = refused;
    const order = { ...old, owner, leverage, marginMode, reduces };
    await this.#create(order, () => this.#send(order, refOf(order).symbol, false));
  }

  async #create(
    order: VenueOrder,
    request: () => Promise<Order>,
    first?: () => Promise<void>,
  ): Promise<Placement> {
    const attempt = await this.#attempt(request, { sendBefore: order.sendBefore, first });
    return 'value' in attempt ? this.#created(attempt.value, order) : this.#notCreated(attempt, order);
  }

  /** Numbers are sent as the texts of their decimals. */
  #send(given: VenueOrder, symbol: string, isHedged: boolean): Promise<Order> {
    if (given.targetPrice) return this.#trading.placePair!(this.#client, given, symbol);
    const { type, side, quantity, price, ...order } = given;
    const kind = price === null ? 'market' : 'limit';
    // "IOC" is the unified value of ccxt for all three exchanges: https://docs.ccxt.com/#/?id=timeinforce
    const params = {
      ...this.#trading.orderParams({ type, side, quantity, price, ...order }, isHedged),
      ...(type === 'market' && price && { timeInForce: 'IOC' }),
    };
    return this.#client.createOrder(
      symbol,
      kind,
      side,
      textNumber(contractsOf(quantity, contractSizeOf(this.#client, symbol))),
      price ? textNumber(price) : undefined,
      params,
    );
  }

  async #created(created: Order, order: VenueOrder): Promise<Placement> {
    // Some exchanges answer with the id alone.
    const isWhole = orderStatusOf(created.status) !== null && created.clientOrderId === order.clientOrderId;
    const found = isWhole ? await this.#stateOf(created, order) : await this.find(order);
    if (found === null) return { unknown: 'the exchange does not know the order yet' };
    if ('unknown' in found) return found;
    const isRefused = found.reason === passedStop && found.filled.sign === 0;
    return isRefused ? { refused: passedStop } : { state: found };
  }

  async #notCreated(
    { error, isSent, meaning }: Extract<Attempt<unknown>, { error: AppError }>,
    order: VenueOrder,
  ): Promise<Placement> {
    if (!isSent) return unsentPlacement(error);
    if (meaning === 'refused' || meaning === 'key' || meaning === 'absent') return refusedBy(error);
    if (meaning === 'busy' || meaning === 'clock') return postponedBy(error);
    if (meaning !== 'duplicate') return { unknown: error.message };
    const found = await this.find(order);
    if (found && !('unknown' in found)) return { state: found };
    return { unknown: found ? found.unknown : 'the exchange has an order of this id, but does not show it' };
  }

  async find(order: OrderRef): Promise<Lookup> {
    const attempt = await this.#attempt(() => this.#trading.findOrder(this.#client, refOf(order)));
    if ('value' in attempt) {
      const { value } = attempt;
      if (value && this.#trading.waitsForWrongSide?.(value)) return this.#withdrawStop(order);
      return value && this.#stateOf(value, order);
    }
    const { meaning, error } = attempt;
    return meaning === 'not_found' ? null : { unknown: error.message };
  }

  /** Cancels a stop order that waits for a price on the wrong side, because it does not protect the position. */
  async #withdrawStop(order: OrderRef): Promise<Lookup> {
    const attempt = await this.#attempt(async () => {
      await this.#trading.cancelOrder(this.#client, refOf(order));
      return this.#trading.findOrder(this.#client, refOf(order));
    });
    if (!('value' in attempt)) return { unknown: attempt.error.message };
    const found = attempt.value && (await this.#stateOf(attempt.value, order));
    if (!found || 'unknown' in found) return found;
    return found.status === 'open' ? notCancelledYet : { ...found, reason: passedStop };
  }

  async cancel(order: OrderRef): Promise<Lookup> {
    const asked = await this.#askCancel(order);
    return asked === 'taken' ? this.#ended(order) : asked;
  }

  /**
   * Cancels an order for the one that takes its place. Null also where the exchange has taken the cancel and does not tell soon how the
   * order ended: no stop stands meanwhile, and the exchange sells nothing twice.
   */
  async #makeRoom(old: OrderRef): Promise<Lookup> {
    const asked = await this.#askCancel(old);
    if (asked !== 'taken') return asked;
    const ended = await Promise.race([this.#ended(old), pause(endedMs, null, { ref: false })]);
    return ended && 'unknown' in ended && ended !== notCancelledYet ? null : ended;
  }

  /** `taken`: the exchange has taken the cancel, and its answer does not tell how the order ended. */
  async #askCancel(order: OrderRef): Promise<Lookup | 'taken'> {
    const attempt = await this.#attempt(() => this.#trading.cancelOrder(this.#client, refOf(order)));
    if ('value' in attempt) {
      const told = attempt.value;
      const isTold = (orderStatusOf(told?.status) ?? 'open') !== 'open';
      return told && isTold ? this.#stateOf(told, order) : 'taken';
    }
    const { meaning, error, isSent } = attempt;
    // The order has ended already, or never existed.
    if (meaning === 'not_found') return this.find(order);
    const unsaid = { unknown: error.message, ...keyRefusal(error) };
    if (!isSent || meaning !== 'unknown') return unsaid;
    // The exchange may have cancelled it all the same.
    const found = await this.find(order);
    return found && 'status' in found && found.status !== 'open' ? found : unsaid;
  }

  /** The state of an order after its cancellation. Some exchanges confirm a cancellation before it is done. */
  async #ended(order: OrderRef): Promise<Lookup> {
    const found = await this.find(order);
    return found && 'status' in found && found.status === 'open' ? notCancelledYet : found;
  }

  /** The open orders on an account, or at least those of these pairs. Trades that the exchange does not list yet are missing. */
  async openOrders(account: TradingAccount, pairs?: readonly PairSymbols[]): Promise<OpenVenueOrder[]> {
    const listed = pairs?.map((pair) => marketSymbol(pair, account));
    const symbols = listed?.filter((symbol) => this.#client.markets?.[symbol]);
    const orders = await this.#ask(() => this.#trading.openOrders(this.#client, account, symbols));
    const isolated = account === 'MARGIN' ? await this.#isolatedOrders() : [];
    const all = [
      ...orders.map((order) => ({ order, marginMode: 'CROSS' as const })),
      ...isolated.map((order) => ({ order, marginMode: 'ISOLATED' as const })),
    ];
    const states = await Promise.all(
      all.map(async ({ order, marginMode }): Promise<OpenVenueOrder[]> => {
        const pair = pairOfMarket(this.#client, order.symbol);
        if (!pair || !order.clientOrderId) return [];
        const { clientOrderId } = order;
        const state = await this.#stateOf(order, { userId: '', pair, account, marginMode, clientOrderId });
        return 'unknown' in state ? [] : [{ ...state, pair, account }];
      }),
    );
    return states.flat();
  }

  async holdings(account: TradingAccount): Promise<VenueHolding[]> {
    const found = await this.#ask(async () => {
      const rows = await this.#trading.holdings?.(this.#client, account);
      return rows ?? this.#client.fetchBalance(this.#trading.accountParams(account));
    });
    return Array.isArray(found) ? found.map((row) => holdingOf(row, account)) : holdingsOf(found, account);
  }

  /** The quantity of the quote asset that no order locks, on the isolated margin account of a pair. */
  async isolatedFree(pair: PairSymbols): Promise<Decimal> {
    const symbol = marketSymbol(pair, 'MARGIN');
    const found = (await this.#isolatedAccounts()).find((each) => each.symbol === symbol);
    return found ? readDecimal(found.quoteFree) : Decimal.zero;
  }

  /** The positions on an account; on MARGIN those of isolated margin. */
  async positions(account: TradingAccount): Promise<VenuePosition[]> {
    if (account === 'SPOT') return [];
    if (account === 'MARGIN') return this.#isolatedPositions(await this.#isolatedAccounts());
    const params = this.#trading.accountParams(account);
    const positions = await this.#ask<ListedPosition[]>(
      () => this.#trading.positions?.(this.#client) ?? this.#client.fetchPositions(undefined, params),
    );
    return positionsOf(this.#client, positions);
  }

  #isolatedPositions(accounts: readonly IsolatedAccount[]): VenuePosition[] {
    return accounts.flatMap(({ symbol, baseNet, liquidationPrice }): VenuePosition[] => {
      const pair = pairOfMarket(this.#client, symbol);
      const [quantity, liquidation] = [readDecimal(baseNet), readDecimal(liquidationPrice)];
      if (!pair || quantity.sign === 0) return [];
      const closedAt = { liquidationPrice: liquidation.sign > 0 ? liquidation : null };
      return [{ account: 'MARGIN', pair, quantity, entryPrice: Decimal.zero, ...closedAt }];
    });
  }

  /** The accounts of isolated margin in markets that the exchange lists; none where the user has none. */
  async #isolatedAccounts(): Promise<IsolatedAccount[]> {
    const { isolated } = this.#trading;
    const found = isolated ? await this.#ask(() => isolated.accounts(this.#client)).catch(ifAbsent([])) : [];
    return found.filter(({ symbol }) => pairOfMarket(this.#client, symbol));
  }

  async #isolatedOrders(): Promise<Order[]> {
    const { isolated } = this.#trading;
    const locked = (await this.#isolatedAccounts()).filter(({ isLocked }) => isLocked);
    const pages = locked.map(({ symbol }) => this.#ask(() => isolated!.openOrders(this.#client, symbol)));
    return (await Promise.all(pages)).flat();
  }

  async fillsSince(pair: PairSymbols, account: TradingAccount, sinceMs: number): Promise<AccountFill[]> {
    const ref = { account, symbol: marketSymbol(pair, account) };
    if (!this.#client.markets?.[ref.symbol]) return [];
    const contractSize = contractSizeOf(this.#client, ref.symbol);
    const hasIsolated = account === 'MARGIN' && this.#trading.isolated !== undefined;
    const modes = hasIsolated ? (['CROSS', 'ISOLATED'] as const) : (['CROSS'] as const);
    const lists = modes.map(async (marginMode) => {
      const asked = this.#ask(() => this.#trading.tradesSince(this.#client, { ...ref, marginMode }, sinceMs));
      const none = { trades: [], forced: new Map<string, ForcedClose>() };
      const { trades, forced } = await (marginMode === 'CROSS' ? asked : asked.catch(ifAbsent(none)));
      return trades.map((trade) => ({
        ...fillOfTrade(trade, { pair, contractSize, atMs: this.#guard.now() }),
        ...closingOf(forced.get(trade.order ?? '')),
        side: trade.side === 'sell' ? ('sell' as const) : ('buy' as const),
      }));
    });
    return inOrder((await Promise.all(lists)).flat());
  }

  async #stateOf(order: Order, ref: OrderRef): Promise<VenueOrderState | VenueSilence> {
    try {
      return await this.#readState(order, ref);
    } catch (error) {
      // The order may stand although the answer cannot be read.
      if (error instanceof AppError) return { unknown: error.message };
      throw error;
    }
  }

  /** The order with its trades. An order that has ended is unknown until the exchange lists all of its trades. */
  async #readState(order: Order, ref: OrderRef): Promise<VenueOrderState | VenueSilence> {
    const status = orderStatusOf(order.status);
    if (!status || !order.id || order.clientOrderId !== ref.clientOrderId)
      return { unknown: 'the exchange answered with another order, or without an id or a known status' };
    const { clientOrderId } = ref;
    const contractSize = contractSizeOf(this.#client, refOf(ref).symbol);
    const executed = readDecimal(order.filled ?? 0).times(contractSize);
    const fills = executed.sign > 0 ? await this.#fillsOf(order, ref, executed) : [];
    if ('unknown' in fills) return fills;
    const filled = tradedQuantity(fills);
    if (status !== 'open' && filled.compare(executed) !== 0)
      return { unknown: 'the exchange does not list all trades of the order yet' };
    const reason = status === 'open' ? undefined : this.#trading.reasonOf?.(order);
    return { clientOrderId, exchangeOrderId: order.id, status, filled, fills, ...(reason && { reason }) };
  }

  async #fillsOf(order: Order, ref: OrderRef, executed: Decimal) {
    const terms = {
      pair: ref.pair,
      contractSize: contractSizeOf(this.#client, refOf(ref).symbol),
      atMs: order.lastTradeTimestamp ?? order.timestamp ?? this.#guard.now(),
    };
    const read = (trades: Order['trades']) =>
      inOrder(trades.filter(({ id }) => id !== undefined).map((trade) => fillOfTrade(trade, terms)));
    const told = read(order.trades ?? []);
    if (tradedQuantity(told).compare(executed) === 0) return told;
    const attempt = await this.#attempt(() => this.#trading.tradesOf(this.#client, order, refOf(ref)));
    return 'value' in attempt ? read(attempt.value) : { unknown: attempt.error.message };
  }

  /** See `VenueTrading.isHedged`. */
  async isHedged(symbol: string): Promise<boolean> {
    const { hedged } = this.#known;
    if (!hedged.has(symbol))
      hedged.set(symbol, await this.#ask(() => this.#trading.isHedged(this.#client, symbol)));
    return hedged.get(symbol)!;
  }

  async #prepare(order: VenueOrder, symbol: string): Promise<void> {
    const wanted = `${order.leverage} ${order.marginMode} ${order.owner}`;
    if (!this.#trading.isPreparedEachTime && this.#known.prepared.get(symbol) === wanted) return;
    await this.#ask(() => this.#trading.preparePosition(this.#client, order, symbol));
    this.#known.prepared.set(symbol, wanted);
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    const attempt = await this.#attempt(request);
    if ('value' in attempt) return attempt.value;
    throw attempt.error;
  }

  /** Sends a request. When the exchange refuses this machine's time, it is sent again with the exchange's. */
  async #attempt<T>(request: () => Promise<T>, terms: AttemptTerms = {}): Promise<Attempt<T>> {
    const first = await this.#guard.attempt(this.#key, request, this.#urgency, terms);
    if ('value' in first || first.meaning !== 'clock') return first;
    try {
      await this.#guard.ask(() => this.#client.loadTimeDifference(), this.#urgency);
    } catch {
      return first;
    }
    // What `first` has made room for was sent, and is sent again, however late it is.
    const again = terms.first ? {} : { sendBefore: terms.sendBefore };
    return this.#guard.attempt(this.#key, request, this.#urgency, again);
  }
}

const closingOf = (closedBy: ForcedClose | undefined): Pick<AccountFill, 'isLiquidation' | 'closedBy'> =>
  closedBy ? { isLiquidation: true, closedBy } : {};

/** How long permissions that miss an account are believed. */
const permissionsMs = 60_000;

/** Replaces the error of a request for an account that the user does not have by a value. */
const ifAbsent =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof AppError && error.details.reason === 'absent') return instead;
    throw error;
  };

const passedStop = 'the price has passed the stop already';

/** How long (ms) a stop waits to be told how the one ended whose place it takes. */
const endedMs = 1_000;

const notCancelledYet = { unknown: 'the exchange has not cancelled the order yet' };

/** Why an order is not placed, after the cancel of the one whose place it takes; null if it is. */
function obstacleOf(gone: Lookup, old: ReplacedRef): Placement | null {
  if (gone && 'unknown' in gone) {
    const { unknown: postponed, ...more } = gone;
    return { postponed, ...more };
  }
  if (!gone || gone.filled.compare(old.filled) === 0) return null;
  return { refused: 'more of the order that it replaces is filled' };
}

/** Whether an order was cancelled before any of it was filled. */
const isUntouched = (gone: Lookup): boolean =>
  gone !== null && 'status' in gone && gone.status === 'cancelled' && gone.filled.sign === 0;

const refOf = ({ pair, account, marginMode = 'CROSS', clientOrderId }: OrderRef): SymbolRef => ({
  account,
  marginMode,
  clientOrderId,
  symbol: marketSymbol(pair, account),
});

/** ccxt accepts numbers as text; its types do not say so. */
const textNumber = (value: Decimal): number => value.toString() as unknown as number;
