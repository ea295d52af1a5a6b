import { Decimal } from '../../../compute/model/decimal.js';
import { advanceExecution } from '../../../compute/signals/advance-execution.js';
import type { Execution } from '../../../compute/signals/execution.js';
import type { ExecutionEvent } from '../../../compute/signals/execution-event.js';
import type { OrderToCancel } from '../../../compute/signals/match-orders.js';
import type { VenueOrderState } from '../../../storage/exchanges/trading-venue.js';
import { decodeExecution } from '../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredOrder } from '../../../storage/signals/stored-execution.js';
import { RunOrders } from './run-orders.js';
import { RunTimeline } from './run-timeline.js';

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

  /** Applies an event. */
  apply(event: ExecutionEvent): void {
    const step = advanceExecution(this.#execution, event);
    this.#execution = step.execution;
    this.#isChanged = true;
    for (const note of step.notes) this.timeline.add(note, event.at);
    for (const order of step.cancel) this.#wantCancel(order, event.at);
    for (const order of step.place) this.orders.add(order, event.at);
  }

  /** Ends an order that the exchange never had. */
  neverPlaced(order: StoredOrder, atMs: number): void {
    this.orders.change(order, { status: 'cancelled', cancelWanted: false, retryAt: null }, atMs);
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

  #wantCancel(named: OrderToCancel, atMs: number): void {
    const order = this.orders.find(named);
    if (this.orders.isUnsent(order)) return this.neverPlaced(order, atMs);
    this.orders.askAgain(order);
    this.orders.change(order, { cancelWanted: true }, atMs);
  }
}
