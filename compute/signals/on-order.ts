import { Decimal } from '../model/decimal.js';
import { armTarget } from './arm-targets.js';
import { closeExecution } from './on-tick.js';
import { isStranded, maxRefusals } from './desired-orders.js';
import { isTradable, leastReduced } from '../model/pair-rules.js';
import { isEnded, positionChange, type Execution, type OrderName, type StandingOrder } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import type { OrderFill, OrderUpdate } from './execution-event.js';
import { isAtOrBetter } from './execution-side.js';

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
/** The same for a stop, without which its position is only watched, for about a minute: what the exchange said may hold for a moment. */
const stopRetryMs = 5_000;
const stopRetries = 12;
/**
 * After this many refused sales in a row, which takes half a minute, the owner is told; later sales are tried with longer pauses: it may be
 * traded no more.
 */
export const toldRefusals = 5;
const longestCloseRetryMs = 300_000;

/** Refusals count as in a row if the next one comes within this time (ms) of the next try: an order that stood longer was accepted. */
const inARowMs = longestRetryMs;
/**
 * After this many orders in a row that were refused, which takes about a quarter of an hour, a target is withdrawn; so is an entry at
 * market that was not filled and that no time ends.
 */
const mostTries = 20;

/** Applies the status of an order. Updates of settled or unknown orders change nothing. */
export function onOrderUpdate(draft: ExecutionDraft, update: OrderUpdate, at: number): void {
  const order = findOrder(draft.now, update);
  if (!order || update.status === 'open') return;
  // An order that has ended already was counted when its end was told first.
  const isRefusal = order.state === 'placed' && update.status !== 'filled';
  replaceOrder(draft, { ...order, state: 'ended', filledAtEnd: update.filled });
  if (!isRefusal) return;
  if (order.replaces && update.status === 'rejected') letStand(draft, order.replaces);
  if (order.type === 'market' && !order.reduces && update.status !== 'rejected')
    return onUnfilled(draft, order, at);
  if (isOwnersCancel(draft.now, order, update, at)) onOwnersCancel(draft, update.leg);
  else onRefusal(draft, update, at, order.targetPrice !== undefined && !order.isAtTarget);
}

/** The exchange has not taken the order that was to replace this one, so this one stands. */
function letStand(draft: ExecutionDraft, { leg, revision }: OrderName): void {
  draft.set({
    orders: draft.now.orders.map((each) =>
      each.leg === leg && each.revision === revision && each.state === 'cancelling'
        ? { ...each, state: 'placed' as const }
        : each,
    ),
  });
}

/**
 * Whether the owner of the account has cancelled an order that stood: the exchange gives no reason. Soon after a refusal it is not
 * certain that the order stood, and what is being closed has to be closed.
 */
const isOwnersCancel = (
  { refusals }: Execution,
  { leg, type }: StandingOrder,
  { status, reason }: OrderUpdate,
  at: number,
): boolean =>
  status === 'cancelled' &&
  reason === undefined &&
  type !== 'market' &&
  leg !== 'close' &&
  !isInARow(refusals[leg], at);

/** Whether a refusal at this time follows one of the same leg at once. */
const isInARow = (before: Execution['refusals'][string] | undefined, at: number): boolean =>
  before !== undefined && at <= before.retryAt + inARowMs;

/** An order that the owner of the account has cancelled is not placed again. A stop is watched from here. */
function onOwnersCancel(draft: ExecutionDraft, leg: string): void {
  const { entries, targets } = draft.now;
  if (entries.some(({ id }) => id === leg)) draft.setEntry(leg, { state: 'withdrawn' });
  if (targets.some(({ id }) => id === leg)) draft.setTarget(leg, { state: 'withdrawn' });
  if (leg === 'stop') draft.set({ stopOnExchange: false });
  const still = leg === 'stop' ? '; the stop is watched, and sells at market' : '';
  draft.note('cancelled_by_hand', `cancelled at the exchange by hand: it is not placed again${still}`, {
    leg,
  });
}

/** The rest of an entry at market that the market did not fill at its worst price: it is tried again while the entry lasts. */
function onUnfilled(draft: ExecutionDraft, { leg, price }: StandingOrder, at: number): void {
  const entry = draft.now.entries.find(({ id }) => id === leg);
  if (entry?.state !== 'armed' || !price) return;
  const rest = entry.quantity!.minus(entry.filled);
  if (!isTradable(rest, price, draft.now.rules)) return draft.setEntry(leg, { state: 'done' });
  const isLast = delayNext(draft, leg, at) >= mostTries && draft.now.entriesEndAt === null;
  const cause = 'nobody offered the rest at the worst price of the entry or better';
  const next = isLast ? `: it is withdrawn after ${mostTries} tries` : '; it is tried again';
  const figures = { leg, price: price.toString(), quantity: rest.toString() };
  draft.note('entry_unfilled', cause + next, figures);
  if (!isLast) return;
  draft.setEntry(leg, { state: 'withdrawn' });
  draft.skipIfBare(`nobody offered it at ${price.toString()} or better in ${mostTries} tries`);
}

/** Lets the next order of a leg wait, longer each time in a row. Returns how often. */
function delayNext(draft: ExecutionDraft, leg: string, at: number): number {
  const before = draft.now.refusals[leg];
  const count = isInARow(before, at) ? before.count + 1 : 1;
  const longestMs =
    leg === 'close'
      ? longestCloseRetryMs
      : leg === 'stop' && count <= stopRetries
        ? stopRetryMs
        : longestRetryMs;
  const retryAt = at + Math.min(longestMs, firstRetryMs * 2 ** (count - 1));
  draft.set({ refusals: { ...draft.now.refusals, [leg]: { count, retryAt } } });
  return count;
}

/** Books a trade once, however often it is reported. */
export function onOrderFill(draft: ExecutionDraft, fill: OrderFill, at: number): void {
  const { tradeIds } = draft.now;
  // Where two orders of an account trade with each other, both have the same trade.
  const trade = `${fill.leg} ${fill.revision} ${fill.tradeId}`;
  if (tradeIds.includes(trade)) return;
  // No tick comes while an order rests, so the price of the trade is the present one: a trailing stop starts at it.
  draft.set({ tradeIds: [...tradeIds, trade], lastPrice: fill.price });
  const entry = draft.now.entries.find(({ id }) => id === fill.leg);
  if (entry) {
    book(draft, fill, 'entered', 'entryValue');
    const filled = entry.filled.plus(fill.quantity);
    const valueBefore = entry.filledValue ?? entry.filled.times(entry.price);
    const filledValue = valueBefore.plus(fill.quantity.times(fill.price));
    const isDone = entry.quantity !== null && filled.compare(entry.quantity) >= 0;
    draft.setEntry(entry.id, { filled, filledValue, ...(isDone && { state: 'done' }) });
    onEntered(draft, entry.filled.sign === 0 ? entry.stop : null);
  } else {
    const waiting = draft.now.targets.find(
      ({ id, state, quantity }) => id === fill.leg && state === 'waiting' && !quantity,
    );
    // Its order has rested on the exchange, and was filled before the price was seen here.
    if (waiting) armTarget(draft, waiting);
    book(draft, fill, 'exited', 'exitValue');
    const target = draft.now.targets.find(({ id }) => id === fill.leg);
    if (target) {
      const filled = target.filled.plus(fill.quantity);
      const isDone = target.quantity !== null && filled.compare(target.quantity) >= 0;
      draft.setTarget(target.id, isDone ? { filled, state: 'done' } : { filled });
    }
  }
  const order = findOrder(draft.now, fill);
  if (order) {
    const isAtTarget = order.isAtTarget ?? isTargetOf(draft.now, order, fill.price);
    const filled = order.filled.plus(fill.quantity);
    replaceOrder(draft, { ...order, filled, ...(isAtTarget && { isAtTarget }) });
    if (isAtTarget) onPairedTarget(draft, order, filled, at);
  }
  if (draft.now.refusals[fill.leg]) draft.set({ refusals: without(draft.now.refusals, fill.leg) });
  draft.note(entry ? 'bought' : 'sold', 'an order was filled', {
    leg: fill.leg,
    quantity: fill.quantity.toString(),
    price: fill.price.toString(),
    position: draft.now.position.quantity.toString(),
  });
  if (!entry) noteOversold(draft, fill.quantity);
}

/** Notes that an order which arrived after its position was sold has sold what the execution never had. */
function noteOversold(draft: ExecutionDraft, sold: Decimal): void {
  const { position, rules, side } = draft.now;
  const missing = position.quantity.negated();
  if (missing.compare(leastReduced(rules)) < 0) return;
  const quantity = (missing.compare(sold) < 0 ? missing : sold).toString();
  const cause = `an order that reached the exchange late ${side === 'long' ? 'sold' : 'bought'} more than was left: that was not of this signal`;
  draft.note('oversold', cause, { quantity });
}

/** Whether an order that is stop and target in one was filled at its target. */
const isTargetOf = ({ side }: Execution, { targetPrice }: StandingOrder, price: Decimal): boolean =>
  targetPrice !== undefined && isAtOrBetter(side, price, targetPrice);

/** Notes that an order which is stop and target in one has sold at its target. What it does not sell soon, the target sells later. */
function onPairedTarget(
  draft: ExecutionDraft,
  { quantity, filled: before }: StandingOrder,
  filled: Decimal,
  at: number,
): void {
  const last = draft.now.targets.findLast(({ state }) => state === 'waiting');
  if (!last) return;
  const leg = last.id;
  if (before.sign === 0) {
    draft.note('target_reached', `sold at ${leg} by its order at the exchange`, { leg });
    draft.setTarget(leg, { quantity: null, filled: Decimal.zero, triedAt: at });
  }
  draft.withdrawEntries('a target was reached');
  if (filled.compare(quantity) >= 0) draft.setTarget(leg, { state: 'done', quantity, filled });
}

function book(
  draft: ExecutionDraft,
  { quantity, price, baseFee, quoteFee, funding = Decimal.zero }: OrderFill,
  count: 'entered' | 'exited',
  value: 'entryValue' | 'exitValue',
): void {
  const { position, side } = draft.now;
  const change = positionChange(side, { isEntry: count === 'entered', quantity, baseFee });
  draft.set({
    position: {
      ...position,
      quantity: position.quantity.plus(change),
      [count]: position[count].plus(quantity),
      [value]: position[value].plus(quantity.times(price)),
      quoteFees: position.quoteFees.plus(quoteFee),
      funding: position.funding.plus(funding),
    },
  });
}

function onEntered(draft: ExecutionDraft, stop: Execution['pendingStop']): void {
  const { status, pendingStop } = draft.now;
  if (isEnded(draft.now))
    return draft.startClosing({
      limit: null,
      outcome: 'closed',
      cause: 'an order was filled after the execution had ended',
      leaveToStopUntil: null,
    });
  if (status === 'queued' || status === 'entry_pending') draft.set({ status: 'open' });
  if (pendingStop) draft.activateTrailingStop(pendingStop);
  if (stop) draft.activateTrailingStop(stop);
}

/**
 * Notes an order that the exchange has refused or ended, and delays the next one. A stop that it does not take in one order with a target
 * stands alone at once.
 */
function onRefusal(
  draft: ExecutionDraft,
  { leg, status, reason }: OrderUpdate,
  at: number,
  isPaired: boolean,
): void {
  if (isPaired)
    draft.set({ refusals: { ...draft.now.refusals, pair: { count: 1, retryAt: at + longestRetryMs } } });
  const count = isPaired ? 1 : delayNext(draft, leg, at);
  const cause =
    reason ?? (status === 'rejected' ? 'the exchange refused the order' : 'the exchange ended the order');
  draft.note('order_refused', cause, { leg });
  const entry = draft.now.entries.find(({ id }) => id === leg);
  if (entry && (status === 'rejected' || count >= maxRefusals)) draft.setEntry(leg, { state: 'withdrawn' });
  const { close, targets } = draft.now;
  if (leg === 'close' && close && count >= maxRefusals) draft.set({ close: { ...close, limit: null } });
  if (leg === 'close' && count === maxRefusals && isStranded(draft.now))
    draft.note(
      'below_minimum',
      'it is worth less than the exchange accepts; it is sold once it is worth enough',
    );
  if (leg === 'close' && count === toldRefusals && !isStranded(draft.now))
    draft.note(
      'close_refused',
      `the exchange does not let it be sold: ${cause}; it is tried again every few minutes. Sell it there, or disconnect with handover=true`,
    );
  const isTarget = targets.some(({ id, state }) => id === leg && state === 'armed');
  if (isTarget && count >= mostTries) withdrawRefused(draft, leg);
}

/** Withdraws a target that the exchange refuses. If nothing else is left that would sell the position, it is sold at market. */
function withdrawRefused(draft: ExecutionDraft, leg: string): void {
  const cause = `the exchange refused ${mostTries} of its orders in a row`;
  draft.setTarget(leg, { state: 'withdrawn' });
  draft.note('target_withdrawn', cause, { leg });
  const { status, stop, targets } = draft.now;
  if (status !== 'open' || stop) return;
  if (targets.some(({ state }) => state === 'waiting' || state === 'armed')) return;
  closeExecution(draft, 'closed', `no stop and no target is left: ${cause}`);
}

const findOrder = (
  { orders }: Execution,
  { leg, revision }: { leg: string; revision: number },
): StandingOrder | undefined => orders.find((order) => order.leg === leg && order.revision === revision);

/** Replaces an order by its new version. A settled order, all of whose fills have arrived, is removed. */
function replaceOrder(draft: ExecutionDraft, order: StandingOrder): void {
  const isSettled = order.filledAtEnd !== null && order.filled.compare(order.filledAtEnd) >= 0;
  const others = draft.now.orders.filter(
    ({ leg, revision }) => leg !== order.leg || revision !== order.revision,
  );
  draft.set({ orders: isSettled ? others : [...others, order] });
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
