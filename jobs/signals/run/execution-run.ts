import { Decimal } from '../../../compute/model/decimal.js';
import { isSameRules, type PairRules } from '../../../compute/model/pair-rules.js';
import { hasEntered, isEnded, type Execution } from '../../../compute/signals/execution.js';
import type { CommandQuote, ExecutionEvent } from '../../../compute/signals/execution-event.js';
import { nextWakeAt } from '../../../compute/signals/next-wake-at.js';
import { watchedPrices } from '../../../compute/signals/watched-prices.js';
import type { Lookup, Placement } from '../../../storage/exchanges/trading-venue.js';
import { encodeExecution } from '../../../storage/signals/execution-json.js';
import type { OpenedOrder } from '../../../storage/signals/executions.js';
import {
  isOrderOver,
  type ObservedDifferences,
  type StoredExecution,
  type StoredLevels,
  type StoredOrder,
} from '../../../storage/signals/stored-execution.js';
import { executionDueAt } from '../execution-due-at.js';
import { RunState } from './run-state.js';
import {
  applyCancel,
  applyFound,
  applyLiquidation,
  applyPlacement,
  type ForcedFill,
} from './venue-answers.js';

/**
 * An execution while a worker advances it: events go in, and the orders to place or cancel and the document to store come out.
 * No request goes to an exchange before the document with that order is written.
 */
export class ExecutionRun {
  readonly #stored: StoredExecution;
  readonly #run: RunState;
  #revision: number;
  #commandsDone: number;
  #seenAt: Date | null;
  #wish: StoredExecution['wish'];
  #crossings: StoredExecution['crossings'];
  #observed: ObservedDifferences | null;
  /** The last price that was applied now. */
  #crossed: CommandQuote | null = null;
  /** Whether a command waits for the next price. */
  #awaitsPrice = false;

  /** `stored`: with a state. `lateMs`: see `TradingVenue`. */
  constructor(stored: StoredExecution, lateMs?: number) {
    this.#stored = stored;
    this.#run = new RunState(stored, lateMs);
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
    return this.#run.execution;
  }

  get commandsDone(): number {
    return this.#commandsDone;
  }

  get isChanged(): boolean {
    return this.#run.isChanged || this.#run.orders.opened.length > 0;
  }

  /** The note to write if the only change since the last write is that the exchange has accepted one order; otherwise null. */
  opened(nowMs: number): OpenedOrder | null {
    const { orders, isChanged } = this.#run;
    // If orders can be lost, the id at the exchange has to be stored, too; and a success has to clear the fault.
    if (orders.canBeLost || this.#stored.fault) return null;
    if (isChanged || orders.opened.length !== 1) return null;
    return {
      revision: this.#revision,
      order: orders.list.indexOf(orders.opened[0]),
      acknowledgedAt: orders.opened[0].acknowledgedAt ?? new Date(nowMs),
      dueAt: executionDueAt(this.state, orders.list, nowMs),
    };
  }

  /** See `RunOrders.toLookUp`. */
  openOrders(nowMs: number): StoredOrder[] {
    return this.#run.orders.toLookUp(this.#observed?.lookUp ?? [], this.#revision > 0, nowMs);
  }

  /** Whether the exchange cannot have the order. */
  isNew(order: StoredOrder): boolean {
    return this.#run.orders.isNew(order);
  }

  /** See `RunOrders.replacedBy`. */
  replacedBy(order: StoredOrder): StoredOrder | undefined {
    return this.#run.orders.replacedBy(order);
  }

  /** Orders to place. */
  get toPlace(): StoredOrder[] {
    return this.#run.orders.toPlace;
  }

  /** Orders to cancel. */
  get toCancel(): StoredOrder[] {
    return this.#run.orders.toCancel;
  }

  /** Whether it has no order to place or cancel: only the time when it is due next has to be stored. */
  get isIdle(): boolean {
    return this.toPlace.length === 0 && this.toCancel.length === 0;
  }

  get orders(): readonly StoredOrder[] {
    return this.#run.orders.list;
  }

  apply(event: ExecutionEvent): void {
    this.#run.apply(event);
  }

  /** The last price that crossed a level, if it was applied now. */
  get crossed(): CommandQuote | null {
    return this.#crossed;
  }

  /** Asks for the next price, by which a command is to be judged. */
  awaitPrice(): void {
    this.#awaitsPrice = true;
    this.#run.noteChanged();
  }

  /** Adds a line to the timeline. */
  note(type: string, cause: string, nowMs: number): void {
    this.#run.timeline.add({ type, cause }, nowMs);
  }

  noteCommand(): void {
    this.#commandsDone++;
    this.#run.noteChanged();
  }

  /** Applies the rules of the exchange if they have changed; null: they are not known now. */
  applyRules(rules: PairRules | null, nowMs: number): void {
    if (rules && !isEnded(this.state) && !isSameRules(rules, this.state.rules))
      this.apply({ type: 'rules', rules, at: nowMs });
  }

  /** Applies whether new entries are halted: by the user, who paused or ended the subscription, or by the operator. */
  applyHalt(isHalted: boolean, nowMs: number): void {
    if (this.state.isHalted !== isHalted && !isEnded(this.state))
      this.apply({ type: 'halt', isHalted, at: nowMs });
  }

  /** Ends what has bought nothing and has no order left, because its subscription was removed: it would wait for ever. */
  applyRemoval(nowMs: number): void {
    const { state } = this;
    if (isEnded(state) || hasEntered(state) || state.orders.length > 0) return;
    this.apply({ type: 'close', cause: 'the subscription was removed', at: nowMs });
  }

  /** Applies the request of the user to close. */
  applyWish(nowMs: number): void {
    if (this.#wish === null) return;
    this.#wish = null;
    this.apply({ type: 'close', cause: 'the user closed it', at: nowMs });
  }

  /** Whether a comparison has found less at the exchange than it holds or owes. */
  get isReduced(): boolean {
    return typeof this.#observed?.held === 'string' || this.#observed?.isOwedLess === true;
  }

  /** Leaves the quantity that a comparison has found to the next one. */
  forgetReduced(): void {
    if (this.#observed) this.#observed = { ...this.#observed, held: null };
  }

  /** Applies the differences that a comparison with the exchange has found. Orders have been looked up before. */
  applyObserved(nowMs: number): void {
    const observed = this.#observed;
    if (!observed) return;
    this.#observed = null;
    this.#run.noteChanged();
    // A fill since then has changed both: the next comparison tells what is held.
    const compared = Decimal.read(this.#stored.state!.position.quantity);
    if (observed.held !== null && this.state.position.quantity.compare(compared) === 0)
      this.apply({ type: 'balance', held: Decimal.read(observed.held), at: nowMs });
    if (observed.line) this.#run.timeline.add(observed.line, nowMs);
  }

  /** Applies that a time which it waited for has come. */
  applyTime(nowMs: number): void {
    const { orders } = this.#run;
    for (const order of orders.list)
      if (order.status === 'planned' && (order.retryAt?.getTime() ?? 0) <= nowMs)
        orders.sendAgain(order, nowMs);
    const wakeAt = nextWakeAt(this.state);
    if (wakeAt !== null && wakeAt <= nowMs) this.apply({ type: 'time', at: nowMs });
  }

  /** Applies the prices that crossed its levels. */
  applyCrossings(nowMs: number): void {
    for (const { price, high, low, since, at } of this.#crossings) {
      const range = { price: Decimal.read(price), high: Decimal.read(high), low: Decimal.read(low) };
      const times = { since: since.getTime(), time: at.getTime() };
      this.apply({ type: 'tick', ...range, ...times, at: nowMs });
      this.#crossed = { price: range.price, time: times.time };
      this.#seenAt = at;
    }
    this.#crossings = [];
  }

  /** Applies the present price to an execution that has seen none. */
  applyPrice(price: Decimal, at: Date, nowMs: number): void {
    this.apply({ type: 'tick', price, at: nowMs });
    this.#seenAt = at;
  }

  /** Adds the liquidation price to the timeline if it has changed. */
  noteLiquidationPrice(price: Decimal | null, nowMs: number): void {
    if (this.#run.timeline.addLiquidationPrice(price, nowMs)) this.#run.noteChanged();
  }

  applyLiquidation(fill: ForcedFill, nowMs: number): void {
    applyLiquidation(this.#run, fill, nowMs);
  }

  applyFound(order: StoredOrder, found: Lookup, nowMs: number): void {
    applyFound(this.#run, order, found, nowMs);
  }

  applyPlacement(order: StoredOrder, placed: Placement, nowMs: number): void {
    applyPlacement(this.#run, order, placed, nowMs);
  }

  applyCancel(order: StoredOrder, cancelled: Lookup, nowMs: number): void {
    applyCancel(this.#run, order, cancelled, nowMs);
  }

  /** Refuses a stored entry order that a limit of the subscriber does not allow. */
  refuseEntry(order: StoredOrder, cause: string, nowMs: number): void {
    const { orders } = this.#run;
    orders.noteAsked(order);
    // An order that was never sent needs no cancel.
    if (orders.withdraw(order)) order.status = 'planned';
    this.apply({ type: 'refuse_entry', leg: order.leg, cause, at: nowMs });
  }

  /** Defers the decision about an entry order. An order that may have been sent before stays so. */
  defer(order: StoredOrder, reason: string, nowMs: number): void {
    const { orders } = this.#run;
    const status = orders.isNew(order) ? 'planned' : order.status;
    orders.noteAsked(order, true);
    orders.noteSilence(order, reason, status, nowMs);
  }

  /** The document to store, over the revision that was read or written last. */
  toStore(nowMs: number): StoredExecution {
    const { orders, timeline, execution } = this.#run;
    const isOver = isEnded(execution) && orders.list.every(isOrderOver);
    return {
      ...this.#stored,
      status: execution.status,
      reason: isEnded(execution) ? (timeline.lines.at(-1)?.cause ?? null) : timeline.unsoldCause(execution),
      state: encodeExecution(execution),
      commandsDone: this.#commandsDone,
      watched: levelsToWatch(execution, this.#awaitsPrice),
      crossings: this.#crossings,
      seenAt: this.#seenAt,
      orders: orders.copies(),
      events: [...timeline.lines],
      wish: this.#wish,
      ...(this.#stored.observed !== undefined && { observed: this.#observed }),
      fault: null,
      dueAt: executionDueAt(execution, orders.list, nowMs),
      revision: this.#revision + 1,
      endedAt: isOver ? (this.#stored.endedAt ?? new Date(nowMs)) : null,
      bookAt: isOver && hasEntered(execution) ? new Date(nowMs) : null,
    };
  }

  /** Notes that the document of `toStore` is written. */
  noteWritten(): void {
    this.#revision++;
    this.#run.noteWritten();
  }
}

/** The levels that the price watch compares with each price; null while no price matters. */
function levelsToWatch(execution: Execution, awaitsPrice: boolean): StoredLevels | null {
  const { lastPrice, status, stop, targets, entries } = execution;
  if (isEnded(execution)) return null;
  const { worse, better } = watchedPrices(execution);
  const everyTick = awaitsPrice || (lastPrice === null && status !== 'closing');
  const setMs = Math.max(...[stop, ...targets, ...entries].map((level) => level?.setAt ?? 0));
  if (!worse && !better && !everyTick) return null;
  const set = setMs > 0 ? { setMs } : {};
  return { worse: worse?.toString() ?? null, better: better?.toString() ?? null, everyTick, ...set };
}
