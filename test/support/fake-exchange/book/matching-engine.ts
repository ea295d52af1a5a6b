import { Decimal } from '../../../../compute/model/decimal.js';
import { bookedPlaces, type AccountFunds, type FillCost, type FillPart } from './account-funds.js';
import type { BookEntry } from './book-entry.js';
import { checkRequest } from './check-request.js';
import type { AccountSetup, ExchangeCommand, PastTrade } from './exchange-command.js';
import { BookOrder, type BookTrade, type OrderRequest } from './book-order.js';
import { ExchangeRefusal } from './exchange-refusal.js';
import { FuturesFunds, marginAsset, type FuturesPosition } from './futures-funds.js';
import { SpotFunds } from './spot-funds.js';
import { symbolOf, defaultPairs, type BookKind, type TradedPair } from './traded-pair.js';

/** An account with its money in each market. */
export interface BookAccount {
  setup: AccountSetup;
  spot: SpotFunds;
  margin: SpotFunds;
  /** By symbol. */
  isolated: ReadonlyMap<string, SpotFunds>;
  futures: FuturesFunds;
  /** How much a position on margin may be worth, where the account has a setting for that. */
  spotLeverage: number;
}

/** A price at which a symbol was traded. */
export interface BookTick {
  symbol: string;
  price: Decimal;
  quantity: Decimal | null;
  at: number;
}

/** Ticks of a symbol that are kept. */
const mostTicks = 5_000;

/** Matches the orders of accounts against one price for each symbol, without clock, chance and I/O. */
export class MatchingEngine {
  readonly pairs = new Map<string, TradedPair>();
  readonly accounts = new Map<string, BookAccount>();
  readonly orders: BookOrder[] = [];
  readonly trades: BookTrade[] = [];
  readonly entries: BookEntry[] = [];
  /** Symbols whose trading is stopped. */
  readonly halted = new Set<string>();
  readonly prices = new Map<string, Decimal>();
  readonly ticks = new Map<string, BookTick[]>();
  readonly #open = new Set<BookOrder>();
  /** What the present price still trades for each account, by symbol, market and account; absent: any quantity. */
  readonly #liquidity = new Map<string, Decimal>();
  #at = 0;

  constructor() {
    for (const pair of defaultPairs) this.pairs.set(symbolOf(pair), pair);
  }

  /** Does a command at a time. Answers the order that it was about; throws the exchange's refusal. */
  apply(command: ExchangeCommand, at: number): BookOrder | null {
    this.#at = at;
    switch (command.type) {
      case 'order':
        return this.#place(command.request);
      case 'pair':
        return this.#placePair(command);
      case 'cancel':
        return this.#cancel(command.orderId);
      case 'price':
        this.#setPrice(command);
        break;
      case 'halt':
        if (command.isHalted) this.halted.add(command.symbol);
        else this.halted.delete(command.symbol);
        break;
      case 'past':
        for (const trade of command.trades) this.#addPast(command.apiKey, trade);
        break;
      case 'account':
        this.#addAccount(command.account);
        break;
      case 'pairs':
        for (const pair of command.pairs) this.pairs.set(symbolOf(pair), pair);
        break;
      case 'deposit':
        this.#fundsOf(command.apiKey, command.kind).add(command.asset, Decimal.read(command.amount));
        break;
      case 'transfer':
        this.#transfer(command);
        break;
      case 'funding':
        this.#payFunding(command);
        break;
      case 'interest':
        this.#chargeInterest(command);
        break;
      case 'leverage':
        for (const position of this.#futures(command.apiKey).ofSymbol(command.symbol))
          position.leverage = command.leverage;
        break;
      case 'spot leverage':
        this.accounts.get(command.apiKey)!.spotLeverage = command.leverage;
        break;
      case 'settle':
        this.#settle(command.symbol);
        break;
      case 'position mode':
        this.#futures(command.apiKey).isHedged = command.isHedged;
        break;
      case 'margin mode':
        this.#setMarginMode(command);
        break;
      case 'margin type':
        this.#setMarginType(command);
    }
    return null;
  }

  /** The open orders of an account in a market, the oldest first. */
  openOrders(apiKey: string, kind: BookKind, symbol?: string): BookOrder[] {
    return [...this.#open].filter(
      ({ request }) =>
        request.account === apiKey &&
        request.kind === kind &&
        (symbol === undefined || request.symbol === symbol),
    );
  }

  /** The price of a symbol. Throws while there is none. */
  priceOf(symbol: string): Decimal {
    const price = this.prices.get(symbol);
    if (!price) throw new ExchangeRefusal(-1121, 'Invalid symbol.');
    return price;
  }

  pairOf(symbol: string): TradedPair {
    const pair = this.pairs.get(symbol);
    if (!pair) throw new ExchangeRefusal(-1121, 'Invalid symbol.');
    return pair;
  }

  /** "activation of one order immediately cancels the other", so only one of both needs the money. Answers the stop. */
  #placePair(requests: Record<'stop' | 'target', OrderRequest>): BookOrder {
    const stop = this.#check(requests.stop);
    const target = this.#check(requests.target);
    const { account, kind, symbol } = requests.stop;
    this.#fundsOf(account, kind, symbol).admit(
      stop,
      this.#openBeside(account, kind, symbol),
      this.priceOf(symbol),
    );
    this.#add(stop);
    const second = new BookOrder(this.orders.length + 1, target.request, this.#at);
    this.#add(second);
    [stop.twin, second.twin] = [second, stop];
    stop.listId = second.listId = stop.id;
    return stop;
  }

  #place(request: OrderRequest): BookOrder {
    const { account, kind, symbol } = request;
    const price = this.priceOf(symbol);
    const order = this.#check(request);
    this.#fundsOf(account, kind, symbol).admit(order, this.#openBeside(account, kind, symbol), price);
    this.#add(order);
    this.#match(order, false);
    const isImmediate = order.price === null || request.timeInForce === 'IOC';
    if (isImmediate && order.isWorking && order.isOpen) this.#end(order, 'EXPIRED');
    return order;
  }

  /** The next order as it was asked for. Throws the refusal of one that may not be placed. */
  #check(request: OrderRequest): BookOrder {
    const { kind, symbol } = request;
    const price = this.priceOf(symbol);
    if (this.halted.has(symbol))
      throw kind === 'futures'
        ? new ExchangeRefusal(-4141, 'Symbol is closed.')
        : new ExchangeRefusal(-1013, 'Market is closed.');
    checkRequest(request, this.pairOf(symbol), price);
    this.#refuseTwin(request);
    const order = new BookOrder(this.orders.length + 1, request, this.#at);
    if (order.triggersAt(price))
      throw request.isAlgo
        ? new ExchangeRefusal(-2021, 'Order would immediately trigger.')
        : new ExchangeRefusal(-2010, 'Stop price would trigger immediately.');
    if (request.type === 'LIMIT_MAKER' && order.tradesAt(price))
      throw new ExchangeRefusal(-2010, 'Order would immediately match and take.');
    return order;
  }

  /** Ends the other order of a list. */
  #endTwin(order: BookOrder, status: BookOrder['status']): void {
    const { twin } = order;
    if (!twin) return;
    order.twin = twin.twin = null;
    this.#end(twin, status);
  }

  /** An id may not be used by two open orders; it is free again once its order has ended. */
  #refuseTwin(request: OrderRequest): void {
    const { account, kind, clientOrderId, isAlgo = false } = request;
    const isTaken = this.openOrders(account, kind).some(
      ({ request: open }) => open.clientOrderId === clientOrderId && (open.isAlgo ?? false) === isAlgo,
    );
    if (!isTaken) return;
    throw request.kind === 'futures'
      ? new ExchangeRefusal(-4116, 'ClientOrderId is duplicated.')
      : new ExchangeRefusal(-2010, 'Duplicate order sent.');
  }

  /** The open orders of an account that draw on the same money as those in a market. */
  #openBeside(account: string, kind: BookKind, symbol = ''): BookOrder[] {
    const funds = this.#fundsOf(account, kind, symbol);
    return [...this.#open].filter(
      ({ request }) =>
        request.account === account && this.#fundsOf(account, request.kind, request.symbol) === funds,
    );
  }

  #add(order: BookOrder): void {
    this.orders.push(order);
    this.#open.add(order);
  }

  #cancel(orderId: number): BookOrder {
    const order = this.orders[orderId - 1];
    if (!order?.isOpen) throw new ExchangeRefusal(-2011, 'Unknown order sent.');
    this.#end(order, 'CANCELED');
    return order;
  }

  #setPrice({ symbol, price: text, quantity }: Extract<ExchangeCommand, { type: 'price' }>): void {
    this.pairOf(symbol);
    const price = Decimal.read(text);
    this.prices.set(symbol, price);
    const tick = { symbol, price, quantity: quantity === null ? null : Decimal.read(quantity), at: this.#at };
    this.ticks.set(symbol, [...(this.ticks.get(symbol) ?? []).slice(1 - mostTicks), tick]);
    for (const key of this.#liquidity.keys()) if (key.startsWith(`${symbol} `)) this.#liquidity.delete(key);
    for (const order of [...this.#open]) if (order.request.symbol === symbol) this.#reach(order, price);
    this.#liquidate(symbol, price);
  }

  /** What a new price does to a resting order. */
  #reach(order: BookOrder, price: Decimal): void {
    const wasWorking = order.isWorking;
    if (!wasWorking && order.triggersAt(price)) {
      order.isWorking = true;
      order.updateTime = this.#at;
      this.#endTwin(order, 'EXPIRED');
    }
    this.#match(order, wasWorking);
  }

  /** `isMaker`: it trades at its own price, because it rests. */
  #match(order: BookOrder, isMaker: boolean): void {
    const market = this.priceOf(order.request.symbol);
    if (!order.isOpen || !order.tradesAt(market) || this.halted.has(order.request.symbol)) return;
    const { account, kind, symbol } = order.request;
    const funds = this.#fundsOf(account, kind, symbol);
    const place = `${symbol} ${kind} ${account}`;
    const left = this.#liquidity.get(place) ?? this.ticks.get(symbol)!.at(-1)!.quantity;
    const most = funds.mostOf(order);
    const quantity = left ? Decimal.min(left, most) : most;
    if (quantity.sign > 0) {
      if (left) this.#liquidity.set(place, left.minus(quantity));
      this.#trade(order, funds, { quantity, price: isMaker ? (order.price ?? market) : market, isMaker });
    }
    if (order.isOpen && order.request.reduceOnly && funds.mostOf(order).sign <= 0)
      this.#end(order, 'EXPIRED');
  }

  #trade(order: BookOrder, funds: AccountFunds, part: FillPart): void {
    this.#endTwin(order, 'EXPIRED');
    this.#note(order, part, funds.fill(order, part), this.#at);
    order.updateTime = this.#at;
    if (order.left.sign === 0) this.#end(order, 'FILLED');
    else order.status = 'PARTIALLY_FILLED';
  }

  /** Writes a trade of an order down. */
  #note(order: BookOrder, part: FillPart, cost: FillCost, time: number): void {
    const { kind, account, symbol, side } = order.request;
    const ids = { id: this.trades.length + 1, orderId: order.id, kind, account, symbol, side };
    const trade = { ...ids, ...part, ...cost, time };
    this.trades.push(trade);
    order.trades.push(trade);
    order.executed = order.executed.plus(part.quantity);
    order.cost = order.cost.plus(part.quantity.times(part.price));
  }

  #end(order: BookOrder, status: BookOrder['status']): void {
    this.#endTwin(order, status);
    order.status = status;
    order.updateTime = this.#at;
    this.#open.delete(order);
  }

  /** Closes positions whose margin is used up. */
  #liquidate(symbol: string, price: Decimal): void {
    for (const [account, { futures }] of this.accounts)
      for (const position of futures.positions) {
        if (position.symbol !== symbol) continue;
        const at = futures.liquidationPrice(position);
        if (!at || price.compare(at) * position.quantity.sign > 0) continue;
        for (const order of this.openOrders(account, 'futures', symbol))
          if (order.request.positionSide === sideOf(position)) this.#end(order, 'EXPIRED');
        this.#closeByForce(account, position, 'autoclose');
      }
  }

  /** Ends what is open of a contract that is delisted, and closes its positions at the present price. */
  #settle(symbol: string): void {
    for (const [account, { futures }] of this.accounts) {
      for (const order of this.openOrders(account, 'futures', symbol)) this.#end(order, 'EXPIRED');
      const held = [...futures.positions].filter(
        (each) => each.symbol === symbol && each.quantity.sign !== 0,
      );
      for (const position of held) this.#closeByForce(account, position, 'settlement_autoclose');
    }
  }

  #closeByForce(account: string, position: FuturesPosition, why: string): void {
    const request = forcedRequest(account, position, `${why}-${this.#at}`);
    const forced = new BookOrder(this.orders.length + 1, request, this.#at);
    this.#add(forced);
    const price = this.priceOf(position.symbol);
    const { futures } = this.accounts.get(account)!;
    this.#trade(forced, futures, { quantity: forced.quantity, price, isMaker: false });
  }

  #transfer({ apiKey, kind, asset, amount: text }: Extract<ExchangeCommand, { type: 'transfer' }>): void {
    const amount = Decimal.read(text);
    this.#fundsOf(apiKey, kind).add(asset, amount);
    const { isUnified = false } = this.accounts.get(apiKey)!.setup;
    if (!isUnified) this.#fundsOf(apiKey, 'spot').add(asset, amount.negated());
    const about = { symbol: null, basis: Decimal.zero, price: Decimal.zero };
    this.#enter({ account: apiKey, kind, type: 'transfer', asset, amount, ...about });
  }

  #payFunding({ apiKey, symbol, rate }: Extract<ExchangeCommand, { type: 'funding' }>): void {
    const price = this.priceOf(symbol);
    for (const { quantity: basis } of this.#futures(apiKey).ofSymbol(symbol)) {
      const amount = basis.times(price).times(Decimal.read(rate)).negated().round(bookedPlaces, 'floor');
      this.#futures(apiKey).add(marginAsset, amount);
      const about = { symbol, basis, price, asset: marginAsset };
      this.#enter({ account: apiKey, kind: 'futures', type: 'funding', amount, ...about });
    }
  }

  #chargeInterest(command: Extract<ExchangeCommand, { type: 'interest' }>): void {
    const { apiKey, asset, symbol } = command;
    const amount = Decimal.read(command.amount).negated();
    const kind = symbol === undefined ? 'margin' : 'isolated';
    const funds = this.#fundsOf(apiKey, kind, symbol) as SpotFunds;
    const before = funds.totals.get(asset) ?? Decimal.zero;
    funds.add(asset, amount);
    const about = { symbol: symbol ?? null, price: Decimal.zero, asset };
    const basis = before.sign < 0 ? before.negated() : Decimal.zero;
    this.#enter({ account: apiKey, kind, type: 'interest', amount, basis, ...about });
  }

  #enter(entry: Omit<BookEntry, 'id' | 'time'>): void {
    this.entries.push({ id: this.entries.length + 1, ...entry, time: this.#at });
  }

  #addPast(account: string, { fee = '0 USDT', time = this.#at, ...past }: PastTrade): void {
    const terms = { kind: 'spot', account, type: 'LIMIT', timeInForce: 'GTC' } as const;
    const request = { ...terms, ...past, clientOrderId: `past-${this.orders.length + 1}` };
    const order = new BookOrder(this.orders.length + 1, request, time);
    this.orders.push(order);
    const [commission, commissionAsset] = fee.split(' ');
    const cost = { commission: Decimal.read(commission), commissionAsset, realized: Decimal.zero };
    this.#note(order, { quantity: order.quantity, price: order.price!, isMaker: false }, cost, time);
    order.status = 'FILLED';
  }

  #setMarginType({ apiKey, symbol, isIsolated }: Extract<ExchangeCommand, { type: 'margin type' }>): void {
    const positions = this.#futures(apiKey).ofSymbol(symbol);
    if (positions.every((each) => each.isIsolated === isIsolated))
      throw new ExchangeRefusal(-4046, 'No need to change margin type.');
    if (positions.some(({ quantity }) => quantity.sign !== 0))
      throw new ExchangeRefusal(-4048, 'Margin type cannot be changed if there exists position.');
    for (const position of positions) position.isIsolated = isIsolated;
  }

  #setMarginMode({ apiKey, isIsolated }: Extract<ExchangeCommand, { type: 'margin mode' }>): void {
    const funds = this.#futures(apiKey);
    funds.isIsolated = isIsolated;
    for (const position of funds.positions) position.isIsolated = isIsolated;
  }

  /** The money of a new account. */
  #newFunds({
    apiKey,
    paysWithBnb = false,
    paysInQuote = false,
    isUnified = false,
  }: AccountSetup): Pick<BookAccount, 'spot' | 'margin' | 'futures'> {
    const pairOf = (symbol: string) => this.pairOf(symbol);
    const priceOf = (symbol: string) => this.prices.get(symbol) ?? Decimal.zero;
    const terms = { pairOf, paysWithBnb, paysInQuote };
    if (!isUnified)
      return {
        spot: new SpotFunds({ ...terms, mayBorrow: false }),
        margin: new SpotFunds({ ...terms, mayBorrow: true }),
        futures: new FuturesFunds(priceOf),
      };
    const reserved = (asset: string): Decimal =>
      asset === marginAsset
        ? futures.positionMargin().plus(futures.orderMargins(this.openOrders(apiKey, 'futures')))
        : Decimal.zero;
    const wallet = new SpotFunds({ ...terms, mayBorrow: true, reserved });
    const locked = () => wallet.locked(this.#openBeside(apiKey, 'spot')).get(marginAsset) ?? Decimal.zero;
    const futures = new FuturesFunds(priceOf, { totals: wallet.totals, locked });
    return { spot: wallet, margin: wallet, futures };
  }

  #isolatedFunds({
    isolated = {},
    paysWithBnb = false,
    paysInQuote = false,
  }: AccountSetup): Map<string, SpotFunds> {
    const pairOf = (symbol: string) => this.pairOf(symbol);
    return new Map(
      Object.entries(isolated).map(([symbol, amounts]): [string, SpotFunds] => {
        const funds = new SpotFunds({ pairOf, paysWithBnb, paysInQuote, mayBorrow: true });
        for (const [asset, amount] of Object.entries(amounts)) funds.add(asset, Decimal.read(amount));
        return [symbol, funds];
      }),
    );
  }

  #addAccount(setup: AccountSetup): void {
    const { apiKey } = setup;
    const account: BookAccount = {
      ...{ setup, ...this.#newFunds(setup), spotLeverage: 3 },
      isolated: this.#isolatedFunds(setup),
    };
    for (const kind of ['spot', 'margin', 'futures'] as const)
      for (const [asset, amount] of Object.entries(setup[kind] ?? {}))
        account[kind].add(asset, Decimal.read(amount));
    account.futures.isHedged = setup.isHedged === true;
    this.accounts.set(apiKey, account);
  }

  #fundsOf(apiKey: string, kind: BookKind, symbol = ''): AccountFunds {
    const account = this.accounts.get(apiKey);
    if (!account) throw new ExchangeRefusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
    if (kind !== 'isolated') return account[kind];
    const funds = account.isolated.get(symbol);
    if (!funds) throw new ExchangeRefusal(-11_001, 'Isolated margin account does not exist.');
    return funds;
  }

  #futures(apiKey: string): FuturesFunds {
    return this.#fundsOf(apiKey, 'futures') as FuturesFunds;
  }
}

const sideOf = ({ positionSide }: FuturesPosition): OrderRequest['positionSide'] =>
  positionSide === 'BOTH' ? undefined : positionSide;

/** The order by which the exchange closes a position by force. */
const forcedRequest = (
  account: string,
  { symbol, quantity, positionSide }: FuturesPosition,
  clientOrderId: string,
): OrderRequest => ({
  ...{ kind: 'futures', account, symbol, clientOrderId },
  side: quantity.sign > 0 ? 'SELL' : 'BUY',
  ...{ type: 'MARKET', timeInForce: 'IOC', quantity: String(quantity).replace('-', '') },
  ...(positionSide !== 'BOTH' && { positionSide }),
});
