import type { OrderToPlace } from '../../../compute/signals/match-orders.js';
import { clientOrderIdOf } from '../../../storage/signals/client-order-id.js';
import {
  isOrderEnded,
  type StoredOrder,
  type StoredOrderStatus,
} from '../../../storage/signals/stored-execution.js';
import { lookUpAgainAt } from '../execution-due-at.js';
import { sendWithinMs } from '../send-within-ms.js';

/** How long an order that never reached the exchange is still looked up, because a paused worker may place it. */
const mayComeMs = 600_000;

/** How many orders that ended without a trade are kept. A stop that follows the price for weeks is replaced thousands of times. */
const mostUntraded = 200;

/** How many answers in a row prove that the exchange does not know an order, and the time (ms) between them. */
const absences = 2;
const absenceMs = 1_000;

/** How long (ms) an order in doubt is left alone while it may still arrive: one that opens a position is protected once it is found. */
const doubtMs = 2_000;

/**
 * A stop that protects a position is placed again after this time (ms): if the first one comes after all, the exchange refuses one of
 * the two, by its id, its price or what is left to sell.
 */
const bareMs = 2_000;

/**
 * The same for an order that the exchange has shown before: exchanges forget orders that ended without a trade, some after a
 * day, and answer so for a moment about orders that stand.
 */
const forgotten = 5;
const forgottenMs = 60_000;

const unplaced: readonly StoredOrderStatus[] = ['planned', 'sent', 'unknown'];

/** The orders of an execution while it is advanced, with facts about each that its document does not contain. */
export class RunOrders {
  readonly list: StoredOrder[];
  readonly #executionId: string;
  readonly #lateMs: number | undefined;
  #isChanged = false;
  /** Orders that the exchange has accepted since the last write. */
  #opened: StoredOrder[] = [];
  /** Orders that are not in the stored document yet: the exchange cannot know them. */
  readonly #unwritten = new Set<StoredOrder>();
  /** Orders for which a request went to the exchange in this run. */
  readonly #asked = new Set<StoredOrder>();
  /** Orders that the exchange did not know when it was asked last. */
  readonly #unseen = new Set<StoredOrder>();
  /** Orders that the exchange cannot have: they were not sent yet, or are proved to be absent. */
  readonly #new = new Set<StoredOrder>();

  /** `lateMs`: see `TradingVenue`. */
  constructor(executionId: string, stored: readonly StoredOrder[], lateMs: number | undefined) {
    this.#executionId = executionId;
    this.#lateMs = lateMs;
    this.list = stored.map((order) => ({ ...order, fills: [...order.fills] }));
  }

  /** Whether anything has changed since the last write, other than that the exchange has accepted orders. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Orders that the exchange has accepted since the last write, without any other change. */
  get opened(): readonly StoredOrder[] {
    return this.#opened;
  }

  /** Whether an order can be lost on the way to the exchange. */
  get canBeLost(): boolean {
    return this.#lateMs !== undefined;
  }

  /**
   * Orders whose state on the exchange has to be looked up first, those with these ids included. An order that may have been sent
   * is not among them if placing it again is harmless: an entry is, until the execution has changed. After that it may have bought, and
   * the limits that allowed it then need not allow it now.
   */
  toLookUp(ids: readonly string[], isChanged: boolean, nowMs: number): StoredOrder[] {
    return this.list.filter((order) => {
      if (order.status === 'planned') return false;
      if (order.status === 'sent') return !this.#mayPlace(order) || (isChanged && !order.reduces);
      if (ids.includes(order.clientOrderId)) return true;
      return !isOrderEnded(order) || mayStillCome(order, nowMs);
    });
  }

  get toPlace(): StoredOrder[] {
    return this.list.filter(
      (order) =>
        order.status === 'sent' && !order.cancelWanted && !this.#asked.has(order) && this.#mayPlace(order),
    );
  }

  get toCancel(): StoredOrder[] {
    return this.list.filter(
      (order) =>
        order.cancelWanted &&
        !isOrderEnded(order) &&
        !this.#asked.has(order) &&
        !this.#awaitsSuccessor(order),
    );
  }

  /**
   * The order whose place this one takes, if the exchange may still have it. For one that it did not know it would refuse both: the
   * new one is placed by itself, and the old one cannot follow, because nothing is left for it.
   */
  replacedBy({ replaces }: StoredOrder): StoredOrder | undefined {
    const old = replaces && this.list.find(({ clientOrderId }) => clientOrderId === replaces.clientOrderId);
    return old && !isOrderEnded(old) && !this.#unseen.has(old) ? old : undefined;
  }

  /** Notes whether the exchange knows an order. */
  noteSeen(order: StoredOrder, isSeen: boolean): void {
    if (isSeen) this.#unseen.delete(order);
    else this.#unseen.add(order);
  }

  /** Whether the exchange has not taken the order yet that takes the place of this one. */
  #awaitsSuccessor(old: StoredOrder): boolean {
    return this.list.some(
      (order) => unplaced.includes(order.status) && order.replaces?.clientOrderId === old.clientOrderId,
    );
  }

  /** Whether the exchange cannot have the order. */
  isNew(order: StoredOrder): boolean {
    return this.#new.has(order);
  }

  /** Whether the order can be taken back without the exchange. */
  isUnsent(order: StoredOrder): boolean {
    return this.#unwritten.has(order) || order.status === 'planned';
  }

  find({ leg, revision }: Pick<StoredOrder, 'leg' | 'revision'>): StoredOrder {
    return this.list.find((each) => each.leg === leg && each.revision === revision)!;
  }

  /** Adds an order that is sent once it is stored. */
  add({ leg, revision, ...terms }: OrderToPlace, atMs: number): StoredOrder {
    const at = new Date(atMs);
    const order: StoredOrder = {
      clientOrderId: clientOrderIdOf(this.#executionId, leg, revision),
      leg,
      revision,
      side: terms.side,
      type: terms.type,
      price: terms.price?.toString() ?? null,
      stopPrice: terms.stopPrice?.toString() ?? null,
      ...(terms.targetPrice && { targetPrice: terms.targetPrice.toString() }),
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
    this.list.push(order);
    this.#unwritten.add(order);
    this.#new.add(order);
    return order;
  }

  /** Notes a request for the order in this run. `isPlaced`: the request was to place it, so the exchange may have it. */
  noteAsked(order: StoredOrder, isPlaced = false): void {
    this.#asked.add(order);
    if (isPlaced) this.#new.delete(order);
  }

  /** Allows another request for the order in this run. */
  askAgain(order: StoredOrder): void {
    this.#asked.delete(order);
  }

  /** Notes that the order does not count as unwritten: the exchange made it by itself. */
  settle(order: StoredOrder): void {
    this.#unwritten.delete(order);
  }

  /** Removes a new order from those to place. Answers whether it was new. */
  withdraw(order: StoredOrder): boolean {
    return this.#new.delete(order);
  }

  sendAgain(order: StoredOrder, nowMs: number): void {
    const sent = { status: 'sent', sentAt: new Date(nowMs), missed: 0, retryAt: null } as const;
    this.change(order, { ...sent, ...(order.leftAt && { leftAt: null }) }, nowMs);
    this.#new.add(order);
    this.#asked.delete(order);
  }

  /** Notes that the exchange did not answer for an order. Each next request comes after a longer pause. */
  noteSilence(order: StoredOrder, reason: string, status: StoredOrderStatus, nowMs: number): void {
    const attempts = order.attempts + 1;
    const retryAt = lookUpAgainAt({ ...order, attempts, status }, nowMs);
    this.change(order, { status, attempts, retryAt, reason }, nowMs);
  }

  /** Notes that the exchange has accepted the order, to be written later with others. False if more has changed. */
  noteOpened(order: StoredOrder, isElseChanged: boolean): boolean {
    if (order.status !== 'sent' || order.retryAt !== null || isElseChanged) return false;
    Object.assign(order, { status: 'open' });
    this.#opened.push(order);
    return true;
  }

  /** Whether it is proved that an order which the exchange did not know at `nowMs` is absent and will not arrive. */
  isAbsent(order: StoredOrder, nowMs: number): boolean {
    if (this.#lateMs === undefined) return true;
    // The exchange has known the order: it has ended, and the exchange no longer shows it.
    if (order.exchangeOrderId !== null) return false;
    const sentMs = sentMsOf(order);
    const arrivesUntil = this.#arrivesUntil(order);
    const isStop = order.type === 'stop' && order.reduces;
    if (isStop && nowMs - sentMs >= bareMs) return true;
    const isLate = nowMs > arrivesUntil;
    const missed = isLate ? (order.missed ?? 0) + 1 : 0;
    const waitsUntil = isStop ? sentMs + bareMs : Math.min(arrivesUntil + 1, nowMs + doubtMs);
    const retryAt = new Date(isLate ? nowMs + absenceMs : waitsUntil);
    this.change(order, { missed, retryAt, reason: 'the exchange does not know it yet' }, nowMs);
    return missed >= absences;
  }

  /** When an order that ends without the exchange is looked up for the last time: it may arrive until then. Null: it cannot. */
  lastLookUpAt(order: StoredOrder, nowMs: number): Date | null {
    if (!this.canBeLost || this.isUnsent(order) || order.exchangeOrderId !== null) return null;
    const arrivesUntil = this.#arrivesUntil(order);
    return arrivesUntil > nowMs ? new Date(arrivesUntil + 1) : null;
  }

  /** Until when (ms since 1970) a request to place the order may arrive: of a worker that was paused, where none has come back. */
  #arrivesUntil(order: StoredOrder): number {
    return (order.leftAt?.getTime() ?? sentMsOf(order) + sendWithinMs) + (this.#lateMs ?? 0);
  }

  /** Whether it is proved that the exchange has forgotten an order that it had shown. Called when it did not know it at `nowMs`. */
  isForgotten(order: StoredOrder, nowMs: number): boolean {
    const { missed: before = 0, retryAt: askAgainAt } = order;
    if (before > 0 && askAgainAt && askAgainAt.getTime() > nowMs) return false;
    const missed = before + 1;
    const retryAt = new Date(nowMs + forgottenMs);
    this.change(order, { missed, retryAt, reason: forgottenReason }, nowMs);
    return missed >= forgotten;
  }

  change(order: StoredOrder, changes: Partial<StoredOrder>, nowMs: number): void {
    Object.assign(order, changes, { updatedAt: new Date(nowMs) });
    this.#isChanged = true;
  }

  /** Copies for the document to store. The oldest of many orders that ended without a trade are dropped. */
  copies(): StoredOrder[] {
    const untraded = this.list.filter((order) => isOrderEnded(order) && order.fills.length === 0);
    const dropped = untraded.slice(0, Math.max(0, untraded.length - mostUntraded));
    for (const order of dropped) this.list.splice(this.list.indexOf(order), 1);
    return this.list.map((order) => ({ ...order, fills: [...order.fills] }));
  }

  noteWritten(): void {
    this.#isChanged = false;
    this.#opened = [];
    this.#unwritten.clear();
  }

  #mayPlace(order: StoredOrder): boolean {
    return this.#lateMs === undefined || this.#new.has(order);
  }
}

const sentMsOf = ({ sentAt, createdAt }: StoredOrder): number => (sentAt ?? createdAt).getTime();

export const forgottenReason = 'the exchange does not show it any more';

/** Whether it was cancelled a short time ago and the exchange had never known it. */
const mayStillCome = ({ status, exchangeOrderId, updatedAt }: StoredOrder, nowMs: number): boolean =>
  status === 'cancelled' && exchangeOrderId === null && nowMs - updatedAt.getTime() < mayComeMs;
