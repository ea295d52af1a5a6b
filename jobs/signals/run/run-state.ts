import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import type { Execution, OrderName, ReplacedOrder } from '../../../compute/signals/execution.js';
import { toldRefusals } from '../../../compute/signals/on-order.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import type { VenueOrderState } from '../../../storage/exchanges/trading-venue.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import type {
  StoredExecution,
  StoredOrder,
  ExecutionLine,
} from '../../../storage/signals/stored-execution.js';
import { RunOrders } from './run-orders.js';
import type { ExecutionNote } from '../../../compute/signals/execution-draft.js';

const liquidationPriceLine = 'liquidation_price';

/** For this time (ms) after a line about a moved stop, further moves replace that line. */
const followingMs = 60_000;

/** Beyond this number of lines, the oldest lines about moved stops and refused or unfilled orders are dropped. */
const mostLines = 1_000;
const repeatedTypes = new Set(['entry_unfilled', 'stop_moved', 'order_refused']);

/** The timeline of an execution while it is advanced. */
class RunTimeline {
  readonly lines: ExecutionLine[];

  constructor(stored: readonly ExecutionLine[]) {
    this.lines = [...stored];
  }

  add({ type, cause, figures = {} }: ExecutionNote, atMs: number): void {
    const line = { at: new Date(atMs), type, cause, figures: { ...figures } };
    const last = this.lines.at(-1);
    const isSame = type === 'stop_moved' && last?.type === type && atMs - last.at.getTime() < followingMs;
    if (isSame) this.lines[this.lines.length - 1] = { ...line, at: last.at };
    else this.lines.push(line);
    if (this.lines.length <= mostLines) return;
    const oldest = this.lines.findIndex((each) => repeatedTypes.has(each.type));
    if (oldest >= 0) this.lines.splice(oldest, 1);
  }

  /** Why the exchange does not let a position be sold that is being closed; null if it does. */
  unsoldCause({ refusals }: Pick<Execution, 'refusals'>): string | null {
    if ((refusals.close?.count ?? 0) < toldRefusals) return null;
    return this.lines.findLast(({ type }) => type === 'close_refused')?.cause ?? null;
  }

  /** Adds the liquidation price if it has changed. Answers whether it has. */
  addLiquidationPrice(price: Decimal | null, atMs: number): boolean {
    const text = price?.toString() ?? 'none';
    const last = this.lines.findLast(({ type }) => type === liquidationPriceLine);
    if ((last?.figures.price ?? 'none') === text) return false;
    const cause = 'the exchange closes the position at this price, since its margin is used up there';
    this.add({ type: liquidationPriceLine, cause, figures: { price: text } }, atMs);
    return true;
  }
}

/** The state, orders and timeline of an execution. Events change them together. */
export class RunState {
  readonly orders: RunOrders;
  readonly timeline: RunTimeline;
  #execution: Execution;
  #isChanged = false;

  /** `stored`: with a state. `lateMs`: see `TradingVenue`. */
  constructor(stored: StoredExecution, lateMs: number | undefined) {
    this.#execution = decodeExecution(stored.state!);
    this.orders = new RunOrders(stored.id, stored.orders, lateMs);
    this.timeline = new RunTimeline(stored.events);
  }

  get execution(): Execution {
    return this.#execution;
  }

  /** Whether anything has changed since the last write, other than that the exchange has accepted orders. */
  get isChanged(): boolean {
    return this.#isChanged || this.orders.isChanged;
  }

  noteChanged(): void {
    this.#isChanged = true;
  }

  noteWritten(): void {
    this.#isChanged = false;
    this.orders.noteWritten();
  }

  apply(event: ExecutionEvent): void {
    const step = advanceExecution(this.#execution, event);
    this.#execution = step.execution;
    this.#isChanged = true;
    for (const note of step.notes) this.timeline.add(note, event.at);
    for (const order of step.cancel) this.#wantCancel(order, event.at);
    for (const order of step.place) {
      const added = this.orders.add(order, event.at);
      if (order.replaces) this.#replace(order.replaces, added, event.at);
    }
    if (event.type === 'order') this.#keepStanding(event.at);
  }

  /** Notes that an order takes the place of another one. One that the exchange never had ends here. */
  #replace(old: ReplacedOrder, successor: StoredOrder, atMs: number): void {
    const order = this.orders.find(old);
    const { clientOrderId } = order;
    if (!this.orders.isUnsent(order)) successor.replaces = { clientOrderId, filled: old.filled.toString() };
    this.#wantCancel(old, atMs);
  }

  /** Orders whose successor was refused are not cancelled. */
  #keepStanding(atMs: number): void {
    for (const standing of this.#execution.orders) {
      const order = standing.state === 'placed' ? this.orders.find(standing) : undefined;
      if (order?.cancelWanted) this.orders.change(order, { cancelWanted: false }, atMs);
    }
  }

  /** Ends an order that the exchange does not have. If it may still arrive, it is looked up until it cannot. */
  neverPlaced(order: StoredOrder, atMs: number): void {
    const retryAt = this.orders.lastLookUpAt(order, atMs);
    this.orders.change(order, { status: 'cancelled', cancelWanted: false, retryAt }, atMs);
    this.applyEnd(order, { status: 'cancelled', filled: Decimal.zero }, atMs);
  }

  applyEnd(
    { leg, revision }: StoredOrder,
    { status, filled, reason }: Pick<VenueOrderState, 'status' | 'filled' | 'reason'>,
    nowMs: number,
  ): void {
    const why = reason === undefined ? {} : { reason };
    this.apply({ type: 'order', leg, revision, status, filled, ...why, at: nowMs });
  }

  #wantCancel(named: OrderName, atMs: number): void {
    const order = this.orders.find(named);
    if (this.orders.isUnsent(order)) return this.neverPlaced(order, atMs);
    this.orders.askAgain(order);
    this.orders.change(order, { cancelWanted: true }, atMs);
  }
}
