import { Decimal } from '../model/decimal.js';
import type { ExitLeg, Execution } from './execution.js';
import type { ExecutionDraft } from './execution-draft.js';
import { isAtOrBetter } from './execution-side.js';
import { isReducible, quantityOnStep } from '../model/pair-rules.js';
import {
  atTargetMs,
  roomMs,
  quantityOfTarget,
  restsWithStop,
  sellingPair,
  unsold,
} from './target-quantity.js';
import type { ExecutionTick } from './execution-event.js';

/** How long (ms) the stop has what was not sold at a target: 1,000 followers of one target would use up the limits otherwise. */
const betweenTriesMs = 30_000;

/**
 * When what is not sold at a target is left to the stop again, or when its price counts again after that; null: never. What is worth
 * too little for a stop at the exchange keeps its order, and the engine watches the price of the stop.
 */
export function targetTurnsAt(execution: Execution, leg: ExitLeg): number | null {
  const { stop, stopOnExchange, restingTargets: resting, rules, refusals, status, orders } = execution;
  const { state, type, price, triedAt = null, quantity, filled } = leg;
  if (status !== 'open' || triedAt === null) return null;
  if (state === 'waiting') return triedAt + betweenTriesMs;
  if (state !== 'armed' || type !== 'limit' || !stop || !stopOnExchange || resting === 'all') return null;
  const worst = Decimal.min(price, Decimal.min(stop.trigger, stop.limit ?? stop.trigger));
  const isProtectable = isReducible(quantityOnStep(quantity!.minus(filled), rules), worst, rules);
  const isSelling = orders.some((order) => order.leg === leg.id && order.state === 'placed');
  const turnsAt = triedAt + (isSelling ? atTargetMs : roomMs);
  return isProtectable ? Math.max(turnsAt, refusals.stop?.retryAt ?? 0) : null;
}

/**
 * Leaves to the stop what was not sold at targets in time, because the exchange takes one order or the other. A minute after the exchange
 * has refused both in one order, it is offered that again.
 */
export function turnTargets(draft: ExecutionDraft, at: number): void {
  const { pair, ...refusals } = draft.now.refusals;
  if (pair && at >= pair.retryAt) draft.set({ refusals });
  for (const leg of draft.now.targets) {
    const turnsAt = targetTurnsAt(draft.now, leg);
    if (turnsAt === null || at < turnsAt) continue;
    if (leg.state === 'waiting') draft.setTarget(leg.id, { triedAt: null });
    else {
      draft.setTarget(leg.id, { state: 'waiting', triedAt: at });
      const cause = `not all was sold at once; the stop has the rest for ${betweenTriesMs / 1_000} s`;
      draft.note('target_waits', cause, { leg: leg.id });
    }
  }
}

/**
 * Arms the targets that the price has reached, in their order: their orders are placed next. If it has reached one that stands in one
 * order with the stop, that order sells everything.
 */
export function armTargets(draft: ExecutionDraft, range: PriceRange, at: number): void {
  const { side, targets } = draft.now;
  if (sellingPair(draft.now)) return;
  const isReached = (leg: ExitLeg) => {
    const seen = leg.state === 'waiting' && !leg.triedAt ? seenBy(leg, range) : null;
    return seen !== null && isAtOrBetter(side, seen.best, leg.price);
  };
  if (targets.some((leg) => isReached(leg) && restsWithStop(draft.now, leg))) return;
  for (const { id } of targets) {
    const leg = draft.now.targets.find((target) => target.id === id)!;
    if (!isReached(leg)) continue;
    armTarget(draft, leg);
    draft.setTarget(id, { triedAt: at });
  }
}

/** Arms a target with its part of the position: that of its order, if it rests on the exchange already, or what it has not sold yet. */
export function armTarget(draft: ExecutionDraft, leg: ExitLeg): void {
  const { rules, targets, orders, lastPrice } = draft.now;
  if (leg.quantity) return draft.setTarget(leg.id, { state: 'armed' });
  const others = targets.filter(
    ({ id, state, quantity }) => id !== leg.id && state === 'waiting' && !quantity,
  );
  const free = quantityOnStep(unsold(draft.now), rules);
  const price = leg.type === 'market' ? lastPrice! : leg.price;
  const resting = orders.find((order) => order.leg === leg.id && order.state === 'placed');
  const quantity = resting?.quantity ?? quantityOfTarget(draft.now, leg, others.length);
  if (!quantity) return withdrawTarget(draft, leg, others.length > 0);
  draft.setTarget(leg.id, { state: 'armed', quantity });
  draft.note('target_reached', `selling at ${leg.id}`, {
    leg: leg.id,
    price: price.toString(),
    quantity: quantity.toString(),
  });
  if (quantity.compare(free) === 0)
    for (const other of others) draft.setTarget(other.id, { state: 'withdrawn' });
  draft.withdrawEntries('a target was reached');
  if (leg.stop) draft.activateTrailingStop(leg.stop);
}

/** Withdraws a target whose part the exchange would not accept. Its trailing stop protects the whole position. */
function withdrawTarget(draft: ExecutionDraft, { id, stop }: ExitLeg, hasNext: boolean): void {
  draft.setTarget(id, { state: 'withdrawn' });
  const cause = 'its part is below what the exchange accepts';
  if (hasNext) draft.note('target_merged', `${cause}; the next target sells it`, { leg: id });
  else draft.note('target_withdrawn', cause, { leg: id });
  if (stop) draft.activateTrailingStop(stop);
}

/** A price, and the extremes since the previous tick. */
export interface PriceRange {
  price: Decimal;
  /** The extreme in the direction that earns money. */
  best: Decimal;
  /** The extreme in the direction that loses money. */
  worst: Decimal;
  /** The venue's times (ms since 1970) of the start of the range and of the price; absent: they do not matter. */
  since?: number | undefined;
  time?: number | undefined;
}

/** The range of a tick for the side of the execution. */
export function priceRangeOf(
  { side }: Execution,
  { price, high = price, low = price, since, time }: ExecutionTick,
): PriceRange {
  const [best, worst] = side === 'long' ? [high, low] : [low, high];
  return { price, best, worst, since, time };
}

/**
 * The part of a range that counts for a level: prices from before a command never reach what the command has set. Null if all of
 * the range is from before.
 */
export function seenBy(level: { readonly setAt?: number }, range: PriceRange): PriceRange | null {
  const { price, time, since = time } = range;
  if (level.setAt === undefined || time === undefined || since! >= level.setAt) return range;
  return time > level.setAt ? { ...range, best: price, worst: price } : null;
}
