import { Decimal } from '../../../compute/model/decimal.js';
import type { Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import type { OrderName, ReplacedOrder } from '../../../compute/signals/execution.js';
import type { OrderToPlace } from '../../../compute/signals/match-orders.js';
import type { ExecutionNote } from '../../../compute/signals/execution-draft.js';

interface BookOrder extends OrderToPlace {
  left: Decimal;
  isTriggered: boolean;
  /** Whether it is a limit at its target price by now, and no stop any more. */
  isAtTarget: boolean;
}

/** How the exchange behaves: what it fills at once, and what it takes as a fee. */
export interface ExchangeHabits {
  /** The share of an order that one price fills, above 0 and at most 1. */
  fillShare: Decimal;
  /** Fee on what is bought, as a share, taken in the base asset; that of a sale which opens a short is taken in the quote asset. */
  baseFeeRate: Decimal;
  /** Whether it reports fills and ends of orders only at the next price, the ends first and the newest fills before older ones. */
  isLate: boolean;
}

const defaultHabits: ExchangeHabits = { fillShare: Decimal.one, baseFeeRate: Decimal.zero, isLate: false };

/**
 * An exchange with one account and one pair that matches orders against prices, apart from the code under test: limit
 * orders at their price or better, orders at market at the price, stop orders when their price is reached. It keeps what it
 * holds and what it was asked, and tells the execution of everything.
 */
export class ScriptedExchange {
  readonly placed: OrderToPlace[] = [];
  readonly notes: ExecutionNote[] = [];
  /** What the account holds of the asset: below 0 for a short. */
  held = Decimal.zero;
  /** The most that reducing orders on the book added up to beyond the position; 0 or below when they never did. */
  oversold = Decimal.parse('-1');
  /** What entry orders have cost; a short that is filled at a better price than ordered counts at its order's. */
  spent = Decimal.zero;
  /** Why it refuses an order; null: it takes it. */
  refuses: (order: OrderToPlace) => string | null = () => null;
  /** Whether every fill and every end of an order is told a second time. */
  tellsTwice = false;
  #execution: Execution;
  #book: BookOrder[] = [];
  #price = Decimal.zero;
  readonly #late: Report[] = [];
  #at = 0;
  #trades = 0;
  readonly #habits: ExchangeHabits;

  constructor(execution: Execution, habits: Partial<ExchangeHabits> = {}) {
    this.#execution = execution;
    this.#habits = { ...defaultHabits, ...habits };
  }

  get execution(): Execution {
    return this.#execution;
  }

  /** In ms. */
  get now(): number {
    return this.#at;
  }

  get book(): readonly BookOrder[] {
    return this.#book;
  }

  /** A new price one second later: resting orders are matched first, then the execution is told the price. */
  tick(price: string): this {
    this.#price = Decimal.parse(price);
    this.#at += 1_000;
    this.#deliver();
    for (const order of [...this.#book]) this.#match(order);
    return this.tell({ type: 'tick', price: this.#price });
  }

  path(...prices: string[]): this {
    for (const price of prices) this.tick(price);
    return this;
  }

  wait(ms: number): this {
    this.#at += ms;
    this.#deliver();
    return this.tell({ type: 'time' });
  }

  /** Takes an order off the book without a report. */
  drop(order: OrderToPlace): this {
    this.#book = this.#book.filter((one) => one.leg !== order.leg || one.revision !== order.revision);
    return this;
  }

  tell(event: Report): this {
    const step = advanceExecution(this.#execution, { ...event, at: this.#at });
    this.#execution = step.execution;
    this.notes.push(...step.notes);
    for (const order of step.cancel) this.#cancel(order);
    for (const order of step.place) this.#place(order);
    return this;
  }

  #place(order: OrderToPlace): void {
    this.placed.push(order);
    const refusal = this.refuses(order);
    if (refusal !== null) return this.#refuse(order, refusal);
    if (order.replaces && !this.#makeRoom(order.replaces))
      return this.#refuse(order, 'the order that it replaces has ended');
    const stored = { ...order, left: order.quantity, isTriggered: false, isAtTarget: false };
    this.#book.push(stored);
    this.#measureSales();
    this.#match(stored);
    if (order.type === 'market' && order.price && this.#book.includes(stored)) this.#expire(stored);
  }

  /** Ends the rest of an order that takes what is there at once. */
  #expire(order: BookOrder): void {
    this.#book = this.#book.filter((one) => one !== order);
    const { leg, revision } = order;
    const filled = order.quantity.minus(order.left);
    this.#report({ type: 'order', leg, revision, status: 'expired', filled });
  }

  #measureSales(): void {
    // Where all of them only reduce, targets stand beside the stop, and what is filled and not told yet is cut off.
    const isBeside = this.#execution.restingTargets === 'all';
    const reducing = this.#book.filter(({ reduces }) => reduces);
    const [last, others] = [true, false].map((isLast) =>
      Decimal.sum(reducing.filter((each) => isLastExit(each) === isLast).map((each) => this.#brought(each))),
    );
    const onSale = isBeside ? [last, others] : [last.plus(others)];
    const known = this.#execution.position.quantity;
    const size = isBeside && known.compare(this.#size) > 0 ? known : this.#size;
    for (const beyond of onSale.map((sum) => sum.minus(size)))
      if (beyond.compare(this.oversold) > 0) this.oversold = beyond;
  }

  /** What an order still brings into the account, or takes from it. */
  #brought({ side, left }: BookOrder): Decimal {
    return side === 'buy' ? left.minus(left.times(this.#habits.baseFeeRate)) : left;
  }

  get #size(): Decimal {
    return this.held.sign < 0 ? this.held.negated() : this.held;
  }

  /** Cancels an order for its successor. False if it does not stand any more, or more of it is filled than the caller knew. */
  #makeRoom({ leg, revision, filled }: ReplacedOrder): boolean {
    const old = this.#book.find((one) => one.leg === leg && one.revision === revision);
    this.#cancel({ leg, revision });
    return old?.quantity.minus(old.left).compare(filled) === 0;
  }

  /** What replaces an order that has ended is refused, because the position is another one than it was made for. */
  #refuse({ leg, revision }: OrderName, reason: string): void {
    this.#report({ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero, reason });
  }

  #cancel({ leg, revision }: OrderName): void {
    const order = this.#book.find((one) => one.leg === leg && one.revision === revision);
    if (!order) return;
    this.#book = this.#book.filter((one) => one !== order);
    const filled = order.quantity.minus(order.left);
    this.#report({ type: 'order', leg, revision, status: 'cancelled', filled });
  }

  #match(order: BookOrder): void {
    if (!this.#book.includes(order) || this.#price.sign === 0) return;
    const { targetPrice } = order;
    order.isAtTarget ||=
      targetPrice !== undefined && !order.isTriggered && !this.#isWorse(order, targetPrice, true);
    if (order.type === 'stop' && !order.isTriggered && !order.isAtTarget)
      order.isTriggered = this.#isWorse(order, order.stopPrice!);
    if (order.type === 'stop' && !order.isTriggered && !order.isAtTarget) return;
    const limit = order.isAtTarget ? targetPrice! : order.price;
    if (limit && this.#isWorse(order, limit, true)) return;
    this.#fill(order);
  }

  /** Whether the price is worse for the order than `level`; at the level counts unless `strictly`. */
  #isWorse({ side }: BookOrder, level: Decimal, strictly = false): boolean {
    const compared = this.#price.compare(level) * (side === 'sell' ? -1 : 1);
    return strictly ? compared > 0 : compared >= 0;
  }

  #fill(order: BookOrder): void {
    const step = this.#execution.rules.stepSize;
    const share = order.quantity.times(this.#habits.fillShare).toStep(step, 'ceil');
    const most = share.compare(order.left) < 0 ? share : order.left;
    const quantity =
      this.#execution.restingTargets === 'all' && order.reduces ? Decimal.min(most, this.#size) : most;
    if (quantity.sign === 0) return this.#expire(order);
    order.left = order.left.minus(quantity);
    const baseFee = order.side === 'buy' ? quantity.times(this.#habits.baseFeeRate) : Decimal.zero;
    const change = order.side === 'buy' ? quantity.minus(baseFee) : quantity.negated();
    this.held = this.held.plus(change);
    const cost = order.price && order.price.compare(this.#price) < 0 ? order.price : this.#price;
    if (!order.reduces) this.spent = this.spent.plus(quantity.times(cost));
    const isDone = order.left.sign === 0;
    if (isDone) this.#book = this.#book.filter((one) => one !== order);
    const { leg, revision } = order;
    this.#report({
      type: 'fill',
      leg,
      revision,
      tradeId: `trade-${++this.#trades}`,
      quantity,
      price: this.#price,
      baseFee,
      quoteFee:
        order.side === 'sell' && !order.reduces
          ? quantity.times(this.#price).times(this.#habits.baseFeeRate)
          : Decimal.zero,
    });
    if (isDone) this.#report({ type: 'order', leg, revision, status: 'filled', filled: order.quantity });
  }

  #report(event: Report): void {
    if (this.#habits.isLate) this.#late.push(event);
    else this.#deliverOne(event);
  }

  #deliver(): void {
    const late = this.#late.splice(0).reverse();
    for (const type of ['order', 'fill'])
      for (const event of late) if (event.type === type) this.#deliverOne(event);
  }

  #deliverOne(event: Report): void {
    this.tell(event);
    if (this.tellsTwice) this.tell(event);
  }

  /** Whether everything that has happened was reported. */
  get isReported(): boolean {
    return this.#late.length === 0;
  }
}

const isLastExit = ({ leg }: { leg: string }): boolean => leg === 'stop' || leg === 'close';

type Report = DistributiveOmit<ExecutionEvent, 'at'>;

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
