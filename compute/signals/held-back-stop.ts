import { Decimal } from '../model/decimal.js';
import { priceOnTick } from '../model/pair-rules.js';
import type { Execution, OrderTerms, StandingOrder } from './execution.js';
import { betterPrice, exitSideOf, isAtOrWorse, worsenedBy } from './execution-side.js';

const half = Decimal.parse('0.5');

/** The price of the stop order on the exchange: that of the stop, on the tick; null without a stop. */
export const stopOrderPrice = (execution: Execution): Decimal | null =>
  execution.stop && priceOnTick(execution.stop.trigger, exitSideOf(execution), execution.rules);

/**
 * The stop order on the exchange if it is not moved yet; otherwise null. It is not moved while the stop follows the price, the
 * order is younger than `stopMoveMs`, and the price is not near the stop. An order of another quantity is always replaced.
 */
export function heldBackStop(execution: Execution, wanted: OrderTerms, at: number): StandingOrder | null {
  const { stop, stopMoveMs = 0, stopPlacedAt = null, lastPrice, side } = execution;
  const standing = outdatedStop(execution);
  if (!standing || !stop?.trailing || stopPlacedAt === null || at >= stopPlacedAt + stopMoveMs) return null;
  if (standing.quantity.minus(standing.filled).compare(wanted.quantity) !== 0) return null;
  if ((standing.price === null) !== (wanted.price === null)) return null;
  return lastPrice && isAtOrWorse(side, lastPrice, nearPrice(execution)!) ? null : standing;
}

/**
 * The stop order on the exchange if it is worse than the stop, which has followed the price since; otherwise null.
 */
function outdatedStop(execution: Execution): StandingOrder | null {
  const price = stopOrderPrice(execution);
  const [standing, other] = execution.orders.filter(({ leg }) => leg === 'stop');
  // One that takes the place of another is replaced once the other one has ended.
  if (other || standing?.state !== 'placed' || standing.isAtTarget) return null;
  if (!price || !standing.stopPrice || standing.stopPrice.compare(price) === 0) return null;
  return betterPrice(execution.side, price, standing.stopPrice) === price ? standing : null;
}

/** The price that counts as near a trailing stop: half way from the best price to the stop. Null without a trailing stop. */
export function nearPrice({ stop, side }: Execution): Decimal | null {
  if (!stop?.trailing) return null;
  const { best } = stop.trailing;
  const way = side === 'long' ? best.minus(stop.trigger) : stop.trigger.minus(best);
  return worsenedBy(side, best, way.times(half));
}

/** When (ms since 1970) a stop order that is held back may be moved; null if none is held back. */
export function stopMovesAt(execution: Execution): number | null {
  const { stop, stopOnExchange, stopPlacedAt = null, stopMoveMs = 0, refusals } = execution;
  if (!stopOnExchange || !stop?.trailing || stopPlacedAt === null || !outdatedStop(execution)) return null;
  return Math.max(stopPlacedAt + stopMoveMs, refusals.stop?.retryAt ?? 0);
}
