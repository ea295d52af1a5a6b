import { armEntries } from './arm-entries.js';
import { armTargets, priceRangeOf, seenBy, type PriceRange } from './arm-targets.js';
import { stopOrderPrice } from './held-back-stop.js';
import { hasEntered, type Execution, type StandingOrder, type Stop } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import type { ExecutionTick } from './execution-event.js';
import { betterPrice, isAtOrBetter, isAtOrWorse, worsenedBy } from './execution-side.js';
import type { Decimal } from '../model/decimal.js';
import { isReducible, leastReduced, quantityOnStep } from '../model/pair-rules.js';
import { desiredOrders } from './desired-orders.js';

/** How long (ms) a sale at a limit may take before the position is sold at market. */
const closeAtLimitMs = 10_000;

/** Sells otherwise what the stop order on the exchange has not sold in time, and at market what was not sold at the limit. */
export function endWaitsOfClose(draft: ExecutionDraft, at: number): void {
  const { leaveToStopUntil = null } = draft.now.close ?? {};
  if (leaveToStopUntil !== null && at >= leaveToStopUntil)
    draft.set({ close: { ...draft.now.close!, leaveToStopUntil: null } });
  const { close, status } = draft.now;
  if (status !== 'closing' || !close?.limit || !close.limitUntil || at < close.limitUntil) return;
  draft.set({ close: { ...close, limit: null, limitUntil: null } });
  draft.note(
    'close_at_market',
    `it was not sold at ${close.limit.toString()} within ${closeAtLimitMs / 1_000} s`,
  );
}

/** Withdraws the entries and sells the position at market. A cancel that came before stays the outcome. */
export function closeExecution(draft: ExecutionDraft, outcome: 'cancelled' | 'closed', cause: string): void {
  draft.withdrawEntries(cause);
  const isCancelled = draft.now.close?.outcome === 'cancelled';
  draft.startClosing({
    limit: null,
    outcome: isCancelled ? 'cancelled' : outcome,
    cause,
    leaveToStopUntil: null,
  });
}

/** Closes an execution whose position is sold, or is too small to be sold while nothing else is waited for. */
export function closeIfNothingLeft(draft: ExecutionDraft, at: number): void {
  closeIfSold(draft);
  closeIfStranded(draft, at);
}

/** A position of which everything is sold needs no more entries and targets. */
function closeIfSold(draft: ExecutionDraft): void {
  const { status, position, rules } = draft.now;
  if (status !== 'open' || quantityOnStep(position.quantity, rules).compare(leastReduced(rules)) >= 0) return;
  if (position.exited.sign === 0 && position.quantity.sign !== 0) return;
  closeExecution(draft, 'closed', 'everything is sold');
}

/** Closes a position that is too small to be sold and that no stop, target, entry or order can change any more. */
function closeIfStranded(draft: ExecutionDraft, at: number): void {
  const { status, position, rules, stop, lastPrice, targets, entries, orders } = draft.now;
  if (status !== 'open' || stop || !lastPrice || orders.length > 0) return;
  if ([...targets, ...entries].some(({ state }) => state === 'waiting')) return;
  if (isReducible(quantityOnStep(position.quantity, rules), lastPrice, rules)) return;
  if (desiredOrders(draft.now, at).length > 0) return;
  closeExecution(draft, 'closed', 'what is left cannot be sold');
}

/** How long a stop order on the exchange may take to sell before it is cancelled and the position is sold by another order. */
const stopOrderGraceMs = 3_000;

/** Applies a price: to the stop first, then to targets, then to entries. */
export function onTick(draft: ExecutionDraft, tick: ExecutionTick, at: number): void {
  const range = priceRangeOf(draft.now, tick);
  draft.set({ lastPrice: tick.price });
  if (draft.now.status === 'queued') draft.set({ status: 'entry_pending' });
  if (draft.now.status === 'closing') return;
  if (!hasEntered(draft.now) && skipIfStale(draft, range)) return;
  if (hasEntered(draft.now)) {
    if (watchStop(draft, range, at)) return;
    armTargets(draft, range, at);
  }
  armEntries(draft, range);
}

/** Skips a signal whose first target or stop was reached before anything was bought: it is too late to follow. */
function skipIfStale(draft: ExecutionDraft, range: PriceRange): boolean {
  const { side, targets, stop } = draft.now;
  const target = targets.find(({ state }) => state === 'waiting');
  const [atStop, atTarget] = [stop && seenBy(stop, range), target && seenBy(target, range)];
  const cause =
    atStop && isAtOrWorse(side, atStop.worst, stop!.trigger)
      ? 'the stop was reached before the entry'
      : atTarget && isAtOrBetter(side, atTarget.best, target!.price)
        ? 'the first target was reached before the entry'
        : null;
  if (!cause) return false;
  draft.withdrawEntries(cause);
  draft.startClosing({ limit: null, outcome: 'skipped', cause, leaveToStopUntil: null });
  return true;
}

/** Moves the stop with the price, and closes the position if the stop is reached. Returns whether it was. */
function watchStop(draft: ExecutionDraft, range: PriceRange, at: number): boolean {
  const { side, stop } = draft.now;
  const seen = stop && seenBy(stop, range);
  if (!stop || !seen) return false;
  const { price, best, worst } = seen;
  // The stop as it was when the range began is tested before the range moves it.
  const isReached = isAtOrWorse(side, worst, stop.trigger);
  const moved = isReached ? stop : followed(draft.now, stop, best);
  if (moved !== stop) {
    draft.set({ stop: moved });
    draft.note('stop_moved', 'the price has reached a new best', { stop: moved.trigger.toString() });
  }
  if (!isReached && !isAtOrWorse(side, price, moved.trigger)) return false;
  fireStop(draft, moved, at);
  return true;
}

/** The stop after a new best price: it moves as far as the best price, and never back. */
function followed({ side }: Execution, stop: Stop, price: Decimal): Stop {
  if (!stop.trailing) return stop;
  const best = betterPrice(side, price, stop.trailing.best);
  if (best.compare(stop.trailing.best) === 0) return stop;
  const { distance } = stop.trailing;
  const trigger = betterPrice(side, stop.trigger, worsenedBy(side, best, distance));
  const shift = trigger.minus(stop.trigger);
  return { ...stop, trigger, limit: stop.limit?.plus(shift) ?? null, trailing: { distance, best } };
}

function fireStop(draft: ExecutionDraft, { trigger, limit, trailing }: Stop, at: number): void {
  draft.withdrawEntries('the stop was reached');
  draft.startClosing({
    limit,
    limitUntil: limit && at + closeAtLimitMs,
    outcome: 'closed',
    cause: `the ${trailing ? 'trailing stop' : 'stop'} at ${trigger.toString()} was reached`,
    leaveToStopUntil: restingStop(draft.now) ? at + stopOrderGraceMs : null,
  });
}

/** The stop order on the exchange, if it stands at the present price of the stop. */
function restingStop(execution: Execution): StandingOrder | undefined {
  const price = stopOrderPrice(execution);
  return execution.orders.find(
    ({ leg, state, stopPrice, isAtTarget }) =>
      leg === 'stop' &&
      state === 'placed' &&
      !isAtTarget &&
      price !== null &&
      stopPrice?.compare(price) === 0,
  );
}
