import { Decimal } from '../../../compute/model/decimal.js';
import { pairName } from '../../../compute/model/market-pair.js';
import type { MarginMode } from '../../../compute/model/trading-account.js';
import { admitMarginOrder } from '../../../compute/paper/margin/admit-margin-order.js';
import { advanceMargin } from '../../../compute/paper/margin/advance-margin.js';
import {
  isOpenMarginOrder,
  progressOfMargin,
  withEvent,
  type MarginAccount,
  type MarginOrder,
} from '../../../compute/paper/margin/margin-account.js';
import type { MarginTerms } from '../../../compute/paper/margin/margin-terms.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import { isEnded, type Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import type { OrderName } from '../../../compute/signals/execution.js';
import type { OrderToPlace } from '../../../compute/signals/match-orders.js';
import { abc } from '../paper/paper-cases.js';

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;
type Happening = DistributiveOmit<ExecutionEvent, 'at'>;

export interface PositionTerms {
  deposit: string;
  mode: MarginMode;
  terms: MarginTerms;
  /** What each tick trades at most of every order; null: any quantity. */
  volume: string | null;
}

/** An execution whose orders go to a margin or futures account of the paper exchange, one step after the other. */
export class PositionExchange {
  account: MarginAccount;
  /** Everything that the execution was told, in order. */
  readonly told: ExecutionEvent[] = [];
  readonly placed: OrderToPlace[] = [];
  /** Prices with the time of each, for an independent account of the funding. */
  readonly ticks: { price: Decimal; at: number }[] = [];
  execution: Execution;
  readonly first: Execution;
  readonly #given: PositionTerms;
  readonly #prices = new Map<string, Decimal>();
  readonly #seen = new Map<string, number>();
  #at = 0;

  constructor(execution: Execution, given: PositionTerms) {
    this.first = execution;
    this.execution = execution;
    this.#given = given;
    this.account = { id: 'user:FUTURES', wallet: Decimal.parse(given.deposit), positions: [], orders: [] };
  }

  /** A price a second later: the account is matched first, then the execution is told what was filled, then the price. */
  tick(price: Decimal): void {
    const since = this.#at;
    this.#at += 1_000;
    this.ticks.push({ price, at: this.#at });
    this.#prices.set(pairName(abc), price);
    const volume = this.#given.volume === null ? null : Decimal.parse(this.#given.volume);
    const tick = { pair: abc, price, high: price, low: price, volume, since, at: this.#at };
    this.account = advanceMargin(this.account, { tick, prices: this.#prices, market: this.#market });
    this.#report();
    this.tell({ type: 'tick', price });
  }

  wait(ms: number): void {
    this.#at += ms;
    this.tell({ type: 'time' });
  }

  tell(event: Happening): void {
    const whole = { ...event, at: this.#at };
    this.told.push(whole);
    const step = advanceExecution(this.execution, whole);
    this.execution = step.execution;
    for (const order of step.cancel) this.#cancel(order);
    for (const order of step.place) this.#place(order);
  }

  get price(): Decimal | null {
    return this.#prices.get(pairName(abc)) ?? null;
  }

  get open(): MarginOrder[] {
    return this.account.orders.filter(isOpenMarginOrder);
  }

  get #market() {
    return { rules: this.execution.rules, terms: this.#given.terms };
  }

  #place({ leg, revision, reduces, replaces, ...order }: OrderToPlace): void {
    if (replaces) this.#cancel(replaces);
    this.placed.push({ leg, revision, reduces, ...order });
    const offered = {
      ...{ side: order.side, type: order.type, price: order.price, stopPrice: order.stopPrice, reduces },
      ...{ id: `${leg} ${revision}`, pair: abc, quantity: order.quantity, placedAt: this.#at },
      ...{ leverage: this.execution.leverage, mode: this.#given.mode, owner: 'execution' },
    };
    const facts = { ...this.#market, lastPrice: this.price, prices: this.#prices };
    const admitted = admitMarginOrder(offered, this.account, facts);
    if ('refused' in admitted) {
      const { refused: reason } = admitted;
      this.tell({ type: 'order', leg, revision, status: 'rejected', filled: Decimal.zero, reason });
    } else this.account = { ...this.account, orders: [...this.account.orders, admitted] };
  }

  #cancel({ leg, revision }: OrderName): void {
    const order = this.open.find(({ id }) => id === `${leg} ${revision}`);
    if (!order) return;
    const { next: number } = progressOfMargin(order);
    const end = { number, kind: 'end', fill: null, end: 'cancelled', reason: null, at: this.#at } as const;
    this.account = withEvent(this.account, order.id, end);
    this.#report();
  }

  /** Tells the execution of what has happened to orders and was not told yet. */
  #report(): void {
    for (const order of this.account.orders) {
      const from = this.#seen.get(order.id) ?? 0;
      this.#seen.set(order.id, order.events.length);
      for (const event of order.events.slice(from)) this.#reportOne(order, event);
    }
  }

  #reportOne(order: MarginOrder, { fill, end, number }: MarginOrder['events'][number]): void {
    const tradeId = `${order.id}.${number}`;
    if (order.isLiquidation) return void (fill && this.tell({ type: 'liquidated', tradeId, ...fill }));
    const [leg, revision] = order.id.split(' ');
    const of = { leg, revision: Number(revision) };
    if (fill) this.tell({ type: 'fill', ...of, tradeId, ...fill });
    if (end === null) return;
    const now = this.account.orders.find(({ id }) => id === order.id)!;
    this.tell({ type: 'order', ...of, status: end, filled: progressOfMargin(now).filled });
  }

  /** Ends it, and lets the prices go on until nothing is left to do. */
  finish(ending: Happening): void {
    this.tell(ending);
    for (let n = 0; n < 60 && !isEnded(this.execution); n++) {
      this.tick(this.price ?? Decimal.parse('100'));
      this.wait(5_000);
    }
  }
}
