import { Decimal } from '../../compute/model/decimal.js';
import { advanceExecution } from '../../compute/signals/advance-execution.js';
import { hasEntered, isEnded, type Execution } from '../../compute/signals/execution.js';
import type { ExecutionNote } from '../../compute/signals/execution-draft.js';
import type { ExecutionEvent } from '../../compute/signals/execution-event.js';
import type { OrderToCancel, OrderToPlace } from '../../compute/signals/match-orders.js';
import { nextWakeAt, watchedPrices } from '../../compute/signals/watched-prices.js';
import type { Lookup, Placement, VenueFill, VenueOrderState } from '../../storage/exchanges/trading-venue.js';
import { clientOrderIdOf } from '../../storage/signals/client-order-id.js';
import { decodeExecution, encodeExecution } from '../../storage/signals/execution-json.js';
import {
  isOrderEnded,
  type ExecutionLine,
  type ObservedDifferences,
  type StoredExecution,
  type StoredFill,
  type StoredLevels,
  type StoredOrder,
  type StoredOrderStatus,
} from '../../storage/signals/stored-execution.js';
import type { OpenedOrder } from '../../storage/signals/executions.js';
import { executionDueAt, lookUpAgainAt } from './execution-due-at.js';
import { sendWithinMs } from './send-limit.js';

const liquidationPriceLine = 'liquidation_price';

/** How long an order that never reached the exchange is still looked up: a worker that was paused may place it. */
const mayComeMs = 600_000;

/** Lines of a stop that follows the price are one line until this long after its first. */
const followingMs = 60_000;

/** An order that a cancel did not find counts as never placed when it was sent this long ago: no exchange takes it any more. */
const neverPlacedMs = 15_000;

/** Answers in a row that prove that the exchange does not know an order, and the time between them. */
const absences = 2;
const absenceMs = 1_000;

/**
 * An execution while a worker advances it: events go in, and out come the orders that the exchange is to be asked for and
 * the document to store. Nothing is asked of an exchange before the document that wants it is written.
 */
export class ExecutionRun {
  readonly #stored: StoredExecution;
  #state: Execution;
  readonly #orders: StoredOrder[];
  readonly #events: ExecutionLine[];
  #revision: number;
  #commandsDone: number;
  #seenAt: Date | null;
  #wish: StoredExecution['wish'];
  #crossings: StoredExecution['crossings'];
  #observed: ObservedDifferences | null;
  #isChanged = false;
  /** Orders that the exchange has taken since the last write. */
  #opened: StoredOrder[] = [];
  /** Orders that are not in the stored document yet: the exchange cannot know them. */
  readonly #unwritten = new Set<StoredOrder>();
  /** Orders that the exchange was asked for in this run. */
  readonly #asked = new Set<StoredOrder>();
  /** Orders that the exchange cannot have: they were not sent yet, or are proved to be absent. */
  readonly #new = new Set<StoredOrder>();
  readonly #lateMs: number | undefined;

  /** `stored`: with a state. `lateMs`: see `TradingVenue`. */
  constructor(stored: StoredExecution, lateMs?: number) {
    this.#stored = stored;
    this.#lateMs = lateMs;
    this.#state = decodeExecution(stored.state!);
    this.#orders = stored.orders.map((order) => ({ ...order, fills: [...order.fills] }));
    this.#events = [...stored.events];
    this.#revision = stored.revision;
    this.#commandsDone = stored.commandsDone;
    this.#seenAt = stored.seenAt;
    this.#wish = stored.wish;
    this.#crossings = stored.crossings;
    this.#observed = stored.observed ?? null;
  }

  get id(): string {
    return this.#stored.id;
  }

  get stored(): StoredExecution {
    return this.#stored;
  }

  get state(): Execution {
    return this.#state;
  }

  get commandsDone(): number {
    return this.#commandsDone;
  }

  get isChanged(): boolean {
    return this.#isChanged || this.#opened.length > 0;
  }

  /** If all that has changed since the last write is that the exchange has taken one order: that order. */
  opened(nowMs: number): OpenedOrder | null {
    // Where an order can be lost, what the exchange calls it is stored as well; and a success ends a fault.
    if (this.#lateMs !== undefined || this.#stored.fault) return null;
    if (this.#isChanged || this.#opened.length !== 1) return null;
    return {
      revision: this.#revision,
      order: this.#orders.indexOf(this.#opened[0]),
      dueAt: executionDueAt(this.#state, this.#orders, nowMs),
    };
  }

  /**
   * Orders whose state on the exchange is to be looked up before anything else. One that may have been sent is not among
   * them where placing it again answers the order that stands.
   */
  openOrders(nowMs: number): StoredOrder[] {
    return this.#orders.filter((order) => {
      if (order.status === 'planned') return false;
      if (order.status === 'sent') return !this.#mayPlace(order);
      if (this.#observed?.lookUp.includes(order.clientOrderId)) return true;
      return !isOrderEnded(order) || mayStillCome(order, nowMs);
    });
  }

  #mayPlace(order: StoredOrder): boolean {
    return this.#lateMs === undefined || this.#new.has(order);
  }

  /** Whether the exchange cannot have the order. */
  isNew(order: StoredOrder): boolean {
    return this.#new.has(order);
  }

  /** Orders to place. */
  get toPlace(): StoredOrder[] {
    return this.#orders.filter(
      (order) =>
        order.status === 'sent' && !order.cancelWanted && !this.#asked.has(order) && this.#mayPlace(order),
    );
  }

  /** Orders to cancel. */
  get toCancel(): StoredOrder[] {
    return this.#orders.filter(
      (order) => order.cancelWanted && !isOrderEnded(order) && !this.#asked.has(order),
    );
  }

  /** Whether it has nothing to store but when it is due next. */
  get isIdle(): boolean {
    return this.toPlace.length === 0 && this.toCancel.length === 0;
  }

  /** Lets an event happen. */
  apply(event: ExecutionEvent): void {
    const step = advanceExecution(this.#state, event);
    this.#state = step.execution;
    this.#isChanged = true;
    for (const note of step.notes) this.#addLine(note, event.at);
    for (const order of step.cancel) this.#wantCancel(order, event.at);
    for (const order of step.place) this.#addOrder(order, event.at);
  }

  noteCommand(): void {
    this.#commandsDone++;
    this.#isChanged = true;
  }

  /** Applies whether new entries are halted: by the user, who paused or ended the subscription, or by the operator. */
  applyHalt(isHalted: boolean, nowMs: number): void {
    if (this.#state.isHalted !== isHalted && !isEnded(this.#state))
      this.apply({ type: 'halt', isHalted, at: nowMs });
  }

  /** Applies what the user has asked for. */
  applyWish(nowMs: number): void {
    if (this.#wish === null) return;
    this.#wish = null;
    this.apply({ type: 'close', cause: 'the user closed it', at: nowMs });
  }

  /** Applies what a comparison with the exchange has found; orders have been looked up by then. */
  applyObserved(nowMs: number): void {
    const observed = this.#observed;
    if (!observed) return;
    this.#observed = null;
    this.#isChanged = true;
    if (observed.held !== null) this.apply({ type: 'balance', held: Decimal.read(observed.held), at: nowMs });
    if (observed.paused !== null) this.#addLine({ type: 'account_paused', cause: observed.paused }, nowMs);
  }

  /** Applies that a time has come for which it waited. */
  applyTime(nowMs: number): void {
    for (const order of this.#orders)
      if (order.status === 'planned' && (order.retryAt?.getTime() ?? 0) <= nowMs)
        this.#sendAgain(order, nowMs);
    const wakeAt = nextWakeAt(this.#state);
    if (wakeAt !== null && wakeAt <= nowMs) this.apply({ type: 'time', at: nowMs });
  }

  /** Applies the prices that crossed its levels. */
  applyCrossings(nowMs: number): void {
    for (const { price, high, low, at } of this.#crossings) {
      const range = { price: Decimal.read(price), high: Decimal.read(high), low: Decimal.read(low) };
      this.apply({ type: 'tick', ...range, at: nowMs });
      this.#seenAt = at;
    }
    this.#crossings = [];
  }

  /** Applies the present price to an execution that has seen none. */
  applyPrice(price: Decimal, at: Date, nowMs: number): void {
    this.apply({ type: 'tick', price, at: nowMs });
    this.#seenAt = at;
  }

  /** When the first of its orders was filled, in ms since 1970; null before. */
  get firstFillAt(): number | null {
    const times = this.#orders.flatMap(({ fills }) => fills.map(({ at }) => at.getTime()));
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Tells on the timeline at which price the exchange closes the position, where that has changed. */
  noteLiquidationPrice(price: Decimal | null, nowMs: number): void {
    const text = price?.toString() ?? 'none';
    const last = this.#events.findLast(({ type }) => type === liquidationPriceLine);
    if ((last?.figures.price ?? 'none') === text) return;
    const cause = 'the exchange closes the position at this price, since its margin is used up there';
    this.#addLine({ type: liquidationPriceLine, cause, figures: { price: text } }, nowMs);
    this.#isChanged = true;
  }

  /** The exchange has closed what the execution held; it is listed as an order of its own. */
  applyLiquidation(fill: VenueFill, nowMs: number): void {
    const { tradeId, quantity, price, quoteFee, funding } = fill;
    if (this.#state.tradeIds.includes(tradeId)) return;
    const side = this.#state.side === 'long' ? 'sell' : 'buy';
    const terms = { leg: 'liquidation', revision: 1, side, type: 'market', price: null } as const;
    this.#addOrder({ ...terms, stopPrice: null, quantity, reduces: true }, nowMs);
    const order = this.#orders.at(-1)!;
    this.#unwritten.delete(order);
    Object.assign(order, { status: 'filled', filled: quantity.toString(), fills: [storedFill(fill)] });
    const own = { tradeId, quantity, price, quoteFee, ...(funding && { funding }) };
    this.apply({ type: 'liquidated', ...own, at: nowMs });
  }

  /** What the exchange says of an order that it was asked for at `nowMs`. */
  applyFound(order: StoredOrder, found: Lookup, nowMs: number): void {
    if (found && 'unknown' in found) {
      if (!isOrderEnded(order)) this.#noteSilence(order, found.unknown, order.status, nowMs);
      return;
    }
    if (found && isOrderEnded(order)) {
      // A worker that was paused has placed it after all.
      this.#change(order, { status: 'unknown', cancelWanted: true }, nowMs);
    }
    if (found) return this.#applyState(order, found, nowMs);
    const mayBeAbsent = order.status === 'sent' || order.status === 'unknown';
    if (!mayBeAbsent || order.cancelWanted || !this.#isAbsent(order, nowMs)) return;
    // It was written as sent, but has not reached the exchange: it is placed under the same id.
    this.#sendAgain(order, nowMs);
  }

  applyPlacement(order: StoredOrder, placed: Placement, nowMs: number): void {
    this.#asked.add(order);
    this.#new.delete(order);
    if ('state' in placed) return this.#applyState(order, placed.state, nowMs);
    if ('unknown' in placed) return this.#noteSilence(order, placed.unknown, 'unknown', nowMs);
    if ('postponed' in placed) {
      this.#noteSilence(order, placed.postponed, 'planned', nowMs);
      const earliestMs = nowMs + (placed.retryAfterMs ?? 0);
      if (order.retryAt!.getTime() < earliestMs) order.retryAt = new Date(earliestMs);
      return;
    }
    this.#change(order, { status: 'rejected', reason: placed.refused }, nowMs);
    this.#applyEnd(order, { status: 'rejected', filled: Decimal.zero, reason: placed.refused }, nowMs);
  }

  /** A limit of the subscriber does not allow an entry order that is stored. */
  refuseEntry(order: StoredOrder, cause: string, nowMs: number): void {
    this.#asked.add(order);
    // What was never sent needs no cancel.
    if (this.#new.delete(order)) order.status = 'planned';
    this.apply({ type: 'refuse_entry', leg: order.leg, cause, at: nowMs });
  }

  /** Whether an entry order may be sent is decided later. One that may have been sent before stays as it is. */
  defer(order: StoredOrder, reason: string, nowMs: number): void {
    if (this.#new.has(order)) this.applyPlacement(order, { postponed: reason }, nowMs);
    else this.#asked.add(order);
  }

  applyCancel(order: StoredOrder, cancelled: Lookup, nowMs: number): void {
    this.#asked.add(order);
    if (cancelled && 'unknown' in cancelled)
      return this.#noteSilence(order, cancelled.unknown, order.status, nowMs);
    if (cancelled) return this.#applyState(order, cancelled, nowMs);
    if (nowMs - order.createdAt.getTime() < neverPlacedMs)
      return this.#noteSilence(order, 'the exchange does not know it yet', 'unknown', nowMs);
    if (this.#isAbsent(order, nowMs)) this.#neverPlaced(order, nowMs);
  }

  /** The document to store, over the revision that was read or written last. */
  toStore(nowMs: number): StoredExecution {
    const { status } = this.#state;
    const isOver = isEnded(this.#state) && this.#orders.every(isOrderEnded);
    return {
      ...this.#stored,
      status,
      reason: isEnded(this.#state) ? (this.#events.at(-1)?.cause ?? null) : null,
      state: encodeExecution(this.#state),
      commandsDone: this.#commandsDone,
      watched: this.#watched(),
      crossings: this.#crossings,
      seenAt: this.#seenAt,
      orders: this.#orders.map((order) => ({ ...order, fills: [...order.fills] })),
      events: [...this.#events],
      wish: this.#wish,
      ...(this.#stored.observed !== undefined && { observed: this.#observed }),
      fault: null,
      dueAt: executionDueAt(this.#state, this.#orders, nowMs),
      revision: this.#revision + 1,
      endedAt: isOver ? (this.#stored.endedAt ?? new Date(nowMs)) : null,
      bookAt: isOver && hasEntered(this.#state) ? new Date(nowMs) : null,
    };
  }

  /** The document of `toStore` is written. */
  noteWritten(): void {
    this.#revision++;
    this.#isChanged = false;
    this.#opened = [];
    this.#unwritten.clear();
  }

  #watched(): StoredLevels | null {
    const { lastPrice, status } = this.#state;
    if (isEnded(this.#state)) return null;
    const { worse, better } = watchedPrices(this.#state);
    const everyTick = lastPrice === null && status !== 'closing';
    if (!worse && !better && !everyTick) return null;
    return { worse: worse?.toString() ?? null, better: better?.toString() ?? null, everyTick };
  }

  #addLine({ type, cause, figures = {} }: ExecutionNote, atMs: number): void {
    const line = { at: new Date(atMs), type, cause, figures: { ...figures } };
    const last = this.#events.at(-1);
    const isSame = type === 'stop_moved' && last?.type === type && atMs - last.at.getTime() < followingMs;
    if (isSame) this.#events[this.#events.length - 1] = { ...line, at: last.at };
    else this.#events.push(line);
  }

  #addOrder({ leg, revision, ...terms }: OrderToPlace, atMs: number): void {
    const at = new Date(atMs);
    const order: StoredOrder = {
      clientOrderId: clientOrderIdOf(this.id, leg, revision),
      leg,
      revision,
      side: terms.side,
      type: terms.type,
      price: terms.price?.toString() ?? null,
      stopPrice: terms.stopPrice?.toString() ?? null,
      quantity: terms.quantity.toString(),
      reduces: terms.reduces,
      status: 'sent',
      cancelWanted: false,
      exchangeOrderId: null,
      filled: '0',
      fills: [],
      createdAt: at,
      updatedAt: at,
      sentAt: at,
      attempts: 0,
      retryAt: null,
      reason: null,
    };
    this.#orders.push(order);
    this.#unwritten.add(order);
    this.#new.add(order);
  }

  #wantCancel({ leg, revision }: OrderToCancel, atMs: number): void {
    const order = this.#orders.find((each) => each.leg === leg && each.revision === revision)!;
    if (this.#unwritten.has(order) || order.status === 'planned') return this.#neverPlaced(order, atMs);
    this.#asked.delete(order);
    this.#change(order, { cancelWanted: true }, atMs);
  }

  #neverPlaced(order: StoredOrder, atMs: number): void {
    this.#change(order, { status: 'cancelled', cancelWanted: false, retryAt: null }, atMs);
    this.#applyEnd(order, { status: 'cancelled', filled: Decimal.zero }, atMs);
  }

  /** The exchange did not say what has become of an order; it is asked again later each time. */
  #noteSilence(order: StoredOrder, reason: string, status: StoredOrderStatus, nowMs: number): void {
    const attempts = order.attempts + 1;
    this.#change(order, { status, attempts, retryAt: lookUpAgainAt(attempts, nowMs), reason }, nowMs);
  }

  /** Whether it is proved that an order, which the exchange did not know at `nowMs`, is not there and will not arrive. */
  #isAbsent(order: StoredOrder, nowMs: number): boolean {
    if (this.#lateMs === undefined) return true;
    // One that it has known has ended in a way that it no longer shows.
    if (order.exchangeOrderId !== null) return false;
    const arrivesUntil = (order.sentAt ?? order.createdAt).getTime() + sendWithinMs + this.#lateMs;
    const isLate = nowMs > arrivesUntil;
    const missed = isLate ? (order.missed ?? 0) + 1 : 0;
    const retryAt = new Date(isLate ? nowMs + absenceMs : arrivesUntil + 1);
    this.#change(order, { missed, retryAt, reason: 'the exchange does not know it yet' }, nowMs);
    return missed >= absences;
  }

  #sendAgain(order: StoredOrder, nowMs: number): void {
    this.#change(order, { status: 'sent', sentAt: new Date(nowMs), missed: 0, retryAt: null }, nowMs);
    this.#new.add(order);
    this.#asked.delete(order);
  }

  #applyState(order: StoredOrder, state: VenueOrderState, nowMs: number): void {
    const { leg, revision } = order;
    for (const fill of state.fills) {
      if (order.fills.some(({ tradeId }) => tradeId === fill.tradeId)) continue;
      const { tradeId, quantity, price, baseFee, quoteFee, funding } = fill;
      order.fills.push(storedFill(fill));
      this.apply({
        ...{ type: 'fill', leg, revision, tradeId, quantity, price, baseFee, quoteFee },
        ...(funding && { funding }),
        at: nowMs,
      });
    }
    const isOpen = state.status === 'open';
    const status = isOpen && state.filled.sign > 0 ? 'partly_filled' : state.status;
    const filled = state.filled.toString();
    order.exchangeOrderId = state.exchangeOrderId;
    if (status === order.status && filled === order.filled && order.retryAt === null) return;
    if (status === 'open' && order.status === 'sent' && order.retryAt === null && !this.#isChanged) {
      Object.assign(order, { status });
      this.#opened.push(order);
      return;
    }
    const { exchangeOrderId } = state;
    this.#change(order, { status, filled, exchangeOrderId, attempts: 0, retryAt: null }, nowMs);
    if (isOpen) return;
    order.cancelWanted = false;
    order.reason = state.reason ?? null;
    this.#applyEnd(order, state, nowMs);
  }

  #applyEnd(
    { leg, revision }: StoredOrder,
    { status, filled, reason }: Pick<VenueOrderState, 'status' | 'filled' | 'reason'>,
    nowMs: number,
  ): void {
    const why = reason === undefined ? {} : { reason };
    this.apply({ type: 'order', leg, revision, status, filled, ...why, at: nowMs });
  }

  #change(order: StoredOrder, changes: Partial<StoredOrder>, nowMs: number): void {
    Object.assign(order, changes, { updatedAt: new Date(nowMs) });
    this.#isChanged = true;
  }
}

/** Whether it ended here without the exchange having known it, not long ago. */
const mayStillCome = ({ status, exchangeOrderId, updatedAt }: StoredOrder, nowMs: number): boolean =>
  status === 'cancelled' && exchangeOrderId === null && nowMs - updatedAt.getTime() < mayComeMs;

const storedFill = ({
  tradeId,
  quantity,
  price,
  baseFee,
  quoteFee,
  funding,
  otherFees,
  at,
}: VenueFill): StoredFill => ({
  tradeId,
  quantity: quantity.toString(),
  price: price.toString(),
  baseFee: baseFee.toString(),
  quoteFee: quoteFee.toString(),
  ...(funding && { funding: funding.toString() }),
  ...(otherFees && {
    otherFees: otherFees.map(({ asset, amount }) => ({ asset, amount: amount.toString() })),
  }),
  at: new Date(at),
});
