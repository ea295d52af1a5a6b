import { Decimal } from '../../../../compute/model/decimal.js';
import { absolute, bookedPlaces, type AccountFunds, type FillCost, type FillPart } from './account-funds.js';
import type { BookOrder } from './book-order.js';
import { ExchangeRefusal } from './exchange-refusal.js';

const takerRate = Decimal.parse('0.0005');
const makerRate = Decimal.parse('0.0002');
/** Maintenance margin, as a share of the value of a position. */
export const maintenanceRate = Decimal.parse('0.004');
export const marginAsset = 'USDT';

/** A position: the only one of a symbol in one-way mode (`BOTH`), one of two in hedge mode. */
export interface FuturesPosition {
  symbol: string;
  positionSide: 'BOTH' | 'LONG' | 'SHORT';
  /** Above 0 for long, below 0 for short. */
  quantity: Decimal;
  entryPrice: Decimal;
  leverage: number;
  isIsolated: boolean;
  /** Collateral of an isolated position. */
  isolatedWallet: Decimal;
  updateTime: number;
}

/** A futures account: a wallet in USDT and a position for each symbol. */
export class FuturesFunds implements AccountFunds {
  readonly totals: Map<string, Decimal>;
  /** The margin mode of positions that are opened first. */
  isIsolated = false;
  /** Whether longs and shorts are held apart. */
  isHedged = false;
  readonly #positions = new Map<string, FuturesPosition>();
  readonly #priceOf: (symbol: string) => Decimal;
  readonly #lockedElsewhere: () => Decimal;

  /** `wallet`: the amounts by asset, where other markets share them, and what these lock of the margin asset. */
  constructor(
    priceOf: (symbol: string) => Decimal,
    wallet: { totals: Map<string, Decimal>; locked: () => Decimal } = {
      totals: new Map(),
      locked: () => Decimal.zero,
    },
  ) {
    this.#priceOf = priceOf;
    this.#lockedElsewhere = wallet.locked;
    this.totals = wallet.totals;
    this.add(marginAsset, Decimal.zero);
  }

  get wallet(): Decimal {
    return this.totals.get(marginAsset)!;
  }

  add(asset: string, amount: Decimal): void {
    this.totals.set(asset, (this.totals.get(asset) ?? Decimal.zero).plus(amount));
  }

  get positions(): FuturesPosition[] {
    return [...this.#positions.values()];
  }

  /** Positions that there are. */
  get held(): FuturesPosition[] {
    return this.positions.filter(({ quantity }) => quantity.sign !== 0);
  }

  /** The positions of a symbol: one, or both sides in hedge mode. */
  ofSymbol(symbol: string): FuturesPosition[] {
    if (!this.isHedged) return [this.position(symbol)];
    return (['LONG', 'SHORT'] as const).map((side) => this.position(symbol, side));
  }

  position(symbol: string, positionSide: FuturesPosition['positionSide'] = 'BOTH'): FuturesPosition {
    const name = `${symbol} ${positionSide}`;
    const known = this.#positions.get(name);
    if (known) return known;
    const beside = this.positions.find((each) => each.symbol === symbol);
    const made: FuturesPosition = {
      symbol,
      positionSide,
      quantity: Decimal.zero,
      entryPrice: Decimal.zero,
      leverage: beside?.leverage ?? 20,
      isIsolated: beside?.isIsolated ?? this.isIsolated,
      isolatedWallet: Decimal.zero,
      updateTime: 0,
    };
    this.#positions.set(name, made);
    return made;
  }

  /** What is free for new orders: the wallet with the losses and gains of positions, without their margin. */
  available(open: readonly BookOrder[]): Decimal {
    const free = this.wallet.minus(this.#lockedElsewhere()).minus(this.positionMargin());
    return free.plus(this.gains()).minus(this.orderMargins(open));
  }

  /** The gains and losses of all positions. */
  gains(): Decimal {
    return Decimal.sum(this.positions.map((each) => this.unrealized(each)));
  }

  /** The margin of all positions. */
  positionMargin(): Decimal {
    return Decimal.sum(
      this.positions.map((each) => initialMargin(each, each.quantity, this.#priceOf(each.symbol))),
    );
  }

  /** The margin of open orders. */
  orderMargins(open: readonly BookOrder[]): Decimal {
    return Decimal.sum(open.map((order) => this.#orderMargin(order)));
  }

  unrealized({ symbol, quantity, entryPrice }: FuturesPosition): Decimal {
    return quantity.times(this.#priceOf(symbol).minus(entryPrice));
  }

  /** The margin that an open order holds; 0 for one that only reduces. */
  #orderMargin(order: BookOrder): Decimal {
    const { symbol, reduceOnly, isAlgo } = order.request;
    if (reduceOnly || isAlgo) return Decimal.zero;
    return initialMargin(this.#positionOf(order), order.left, order.price ?? this.#priceOf(symbol));
  }

  admit(order: BookOrder, open: readonly BookOrder[], price: Decimal): void {
    const { positionSide = 'BOTH', reduceOnly, isAlgo } = order.request;
    if ((positionSide !== 'BOTH') !== this.isHedged)
      throw new ExchangeRefusal(-4061, "Order's position side does not match user's setting.");
    const isTooMuch = this.isHedged && this.#opposite(order).compare(order.left) < 0;
    if (reduceOnly && !isAlgo && (isTooMuch || this.mostOf(order).sign <= 0))
      throw new ExchangeRefusal(-2022, 'ReduceOnly Order is rejected.');
    if (reduceOnly || isAlgo) return;
    const needed = initialMargin(this.#positionOf(order), order.left, order.price ?? price);
    const closes = Decimal.min(order.left, this.#opposite(order));
    if (closes.compare(order.left) === 0) return;
    if (this.available(open).compare(needed) < 0) throw new ExchangeRefusal(-2019, 'Margin is insufficient.');
  }

  /** A reduce-only order trades no more than the position that it closes. */
  mostOf(order: BookOrder): Decimal {
    return order.request.reduceOnly ? Decimal.min(order.left, this.#opposite(order)) : order.left;
  }

  fill(order: BookOrder, { quantity, price, isMaker }: FillPart): FillCost {
    const position = this.#positionOf(order);
    const { side } = order.request;
    const change = side === 'BUY' ? quantity : quantity.negated();
    const before = position.quantity;
    const after = before.plus(change);
    const closed = before.sign * change.sign < 0 ? Decimal.min(quantity, absolute(before)) : Decimal.zero;
    const realized = price
      .minus(position.entryPrice)
      .times(before.sign < 0 ? closed.negated() : closed)
      .round(bookedPlaces, 'floor');
    const opened = quantity.minus(closed);
    if (opened.sign > 0) {
      const kept = absolute(before).minus(closed);
      const cost = kept.times(position.entryPrice).plus(opened.times(price));
      position.entryPrice = cost.dividedBy(kept.plus(opened), 12, 'half-even');
    }
    position.quantity = after;
    if (after.sign === 0) position.entryPrice = Decimal.zero;
    position.isolatedWallet = initialMargin(position, after, position.entryPrice);
    const commission = quantity
      .times(price)
      .times(isMaker ? makerRate : takerRate)
      .round(bookedPlaces, 'ceil');
    this.add(marginAsset, realized.minus(commission));
    return { commission, commissionAsset: marginAsset, realized };
  }

  /** The price at which the exchange closes a position by force; null: none. */
  liquidationPrice(position: FuturesPosition): Decimal | null {
    const { quantity, entryPrice } = position;
    if (quantity.sign === 0) return null;
    const wallet = position.isIsolated ? position.isolatedWallet : this.wallet;
    const size = absolute(quantity);
    // wallet + quantity * (price - entry) = size * price * rate
    const below = size.times(maintenanceRate).minus(quantity);
    const found = wallet.minus(quantity.times(entryPrice)).dividedBy(below, 8, 'half-even');
    return found.sign > 0 ? found : null;
  }

  #positionOf = ({ request: { symbol, positionSide } }: BookOrder): FuturesPosition =>
    this.position(symbol, positionSide);

  /** The size of the position on the other side of an order. */
  #opposite(order: BookOrder): Decimal {
    const { quantity } = this.#positionOf(order);
    return quantity.sign === (order.request.side === 'BUY' ? -1 : 1) ? absolute(quantity) : Decimal.zero;
  }
}

/** The collateral of a quantity at a price. */
export const initialMargin = ({ leverage }: FuturesPosition, quantity: Decimal, price: Decimal): Decimal =>
  absolute(quantity)
    .times(price)
    .dividedBy(Decimal.read(String(leverage)), bookedPlaces, 'ceil');
