import { Decimal } from '../../../../compute/model/decimal.js';
import type { BookKind } from './traded-pair.js';

export type BookOrderType =
  | 'LIMIT'
  | 'LIMIT_MAKER'
  | 'MARKET'
  | 'STOP_LOSS'
  | 'STOP_LOSS_LIMIT'
  | 'STOP'
  | 'STOP_MARKET';

export type BookOrderStatus = 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'CANCELED' | 'EXPIRED';

/** An order as a client asks for it. Prices and quantities are decimals as text. */
export interface OrderRequest {
  kind: BookKind;
  /** The API key of the account. */
  account: string;
  symbol: string;
  clientOrderId: string;
  side: 'BUY' | 'SELL';
  type: BookOrderType;
  timeInForce: string;
  price?: string | null;
  stopPrice?: string | null;
  quantity: string;
  reduceOnly?: boolean;
  /** The position that it changes in hedge mode; absent: the only one. */
  positionSide?: 'LONG' | 'SHORT';
  /** Whether a margin order may borrow what is missing. */
  borrows?: boolean;
  /** Where the price has to go to reach `stopPrice`. Default: down for a sale, up for a purchase. */
  triggerDirection?: 'rise' | 'fall';
  /** The market's price when it was placed, where the exchange tells it. */
  basePrice?: string;
  /** Whether it is one of the conditional orders that futures list apart from the others. */
  isAlgo?: boolean;
}

/** One trade of an order. */
export interface BookTrade {
  id: number;
  orderId: number;
  kind: BookKind;
  account: string;
  symbol: string;
  side: 'BUY' | 'SELL';
  quantity: Decimal;
  price: Decimal;
  commission: Decimal;
  commissionAsset: string;
  isMaker: boolean;
  realized: Decimal;
  time: number;
}

/** An order that the exchange has accepted. */
export class BookOrder {
  readonly id: number;
  readonly request: OrderRequest;
  readonly time: number;
  readonly price: Decimal | null;
  readonly stopPrice: Decimal | null;
  readonly quantity: Decimal;
  status: BookOrderStatus = 'NEW';
  executed = Decimal.zero;
  /** What its trades cost, in the quote asset. */
  cost = Decimal.zero;
  updateTime: number;
  /** Whether its stop price was reached; true for orders without one. */
  isWorking: boolean;
  readonly trades: BookTrade[] = [];
  /** The list of two orders that it belongs to; -1: none. */
  listId = -1;
  /** The other order of its list, until one of them is active or has ended. */
  twin: BookOrder | null = null;

  constructor(id: number, request: OrderRequest, time: number) {
    this.id = id;
    this.request = request;
    this.time = this.updateTime = time;
    this.price = request.price ? Decimal.read(request.price) : null;
    this.stopPrice = request.stopPrice ? Decimal.read(request.stopPrice) : null;
    this.quantity = Decimal.read(request.quantity);
    this.isWorking = this.stopPrice === null;
  }

  get left(): Decimal {
    return this.quantity.minus(this.executed);
  }

  get isOpen(): boolean {
    return this.status === 'NEW' || this.status === 'PARTIALLY_FILLED';
  }

  /** Whether its money is that of its twin, the stop. */
  get sharesFunds(): boolean {
    return this.twin !== null && this.stopPrice === null;
  }

  /** Whether a price reaches its stop. */
  triggersAt(price: Decimal): boolean {
    if (!this.stopPrice) return false;
    const compared = price.compare(this.stopPrice);
    const direction = this.request.triggerDirection ?? (this.request.side === 'SELL' ? 'fall' : 'rise');
    return direction === 'fall' ? compared <= 0 : compared >= 0;
  }

  /** Whether it can trade at this price. */
  tradesAt(price: Decimal): boolean {
    if (!this.isWorking) return false;
    if (!this.price) return true;
    const compared = price.compare(this.price);
    return this.request.side === 'BUY' ? compared <= 0 : compared >= 0;
  }
}
