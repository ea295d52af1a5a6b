import type { AccountNews, OrderNews } from '../../../storage/exchanges/venue-user-stream.js';

/** Orders of one account that are remembered. Beyond this number the account is compared instead. */
const mostOrders = 200;

export interface HeardOrder {
  tradeIds: Set<string>;
  isEnded: boolean;
}

/** What was told of an account and not looked into yet, however often it was told. */
export class HeardNews {
  /** By client order id, each trade once. */
  readonly orders = new Map<string, HeardOrder>();
  /** Whether more has moved than these orders explain. */
  isMoved = false;
  #isMovedByOrders = false;

  add({ orders = [], moved }: AccountNews): void {
    for (const order of orders) this.#addOrder(order);
    if (moved === 'otherwise') this.isMoved = true;
    if (moved === 'by orders') this.#isMovedByOrders = true;
  }

  addAgain(orders: ReadonlyMap<string, HeardOrder>): void {
    for (const [id, { tradeIds, isEnded }] of orders)
      for (const tradeId of [null, ...tradeIds]) this.#addOrder({ clientOrderId: id, tradeId, isEnded });
  }

  /** Whether balances have moved of which no order was told. */
  get isUnexplained(): boolean {
    return this.isMoved || (this.#isMovedByOrders && this.orders.size === 0);
  }

  #addOrder({ clientOrderId, tradeId, isEnded }: OrderNews): void {
    const known = this.orders.get(clientOrderId) ?? { tradeIds: new Set<string>(), isEnded: false };
    if (this.orders.size >= mostOrders || known.tradeIds.size >= mostOrders) this.isMoved = true;
    else this.orders.set(clientOrderId, known);
    if (tradeId !== null) known.tradeIds.add(tradeId);
    known.isEnded ||= isEnded;
  }
}
