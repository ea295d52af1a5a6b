import { Decimal } from '../model/decimal.js';
import {
  isReducible,
  leastBought,
  percentOf,
  priceInBand,
  priceOnTick,
  quantityOnStep,
  quotientPlaces,
} from '../model/pair-rules.js';
import { hasEntered, type Execution, type ExitLeg, type StandingOrder } from './execution.js';
import { exitSideOf, isAtOrBetter } from './execution-side.js';

/** How long (ms) a sale at a target may keep its part of the position from a stop at the exchange. */
export const atTargetMs = 1_000;

/** How long (ms) it may wait until the stop has made room for its order: on a slow exchange its second would be over by then. */
export const roomMs = 4_000;

/**
 * What orders trade to close the position: what is held, or for a short what has to be bought. Where the fee is taken from what is
 * bought, that is bought as well, at the rate of the entries.
 */
export function toClose({ side, position, rules }: Pick<Execution, 'position' | 'rules' | 'side'>): Decimal {
  const { quantity, quoteFees, entryValue } = position;
  if (side === 'long' || rules.feesIn !== 'base' || entryValue.sign <= 0) return quantity;
  const kept = Decimal.one.minus(quoteFees.dividedBy(entryValue, quotientPlaces, 'floor'));
  return quantity.dividedBy(kept.compare(leastBought) < 0 ? leastBought : kept, quotientPlaces, 'floor');
}

/** The part of the position that no target sells, or has begun to sell. */
export const unsold = (execution: Execution): Decimal =>
  execution.targets
    .filter(({ state, quantity }) => state === 'armed' || (state === 'waiting' && quantity))
    .reduce((left, { quantity, filled }) => left.minus(quantity!.minus(filled)), toClose(execution));

/**
 * What a target sells, with so many others behind it; null for a part that the exchange would not accept, which is left to the next
 * target. If the rest could not be sold at its stop afterwards, the target sells the rest as well.
 */
export function quantityOfTarget(execution: Execution, leg: ExitLeg, others: number): Decimal | null {
  const { rules, stop, lastPrice } = execution;
  const free = quantityOnStep(unsold(execution), rules);
  const price = leg.type === 'market' ? lastPrice! : leg.price;
  let quantity = quantityOnStep(partOf(execution, leg, free, others + 1), rules);
  if (!isReducible(quantity, price, rules) && others > 0) return null;
  const restStop = (leg.stop ?? stop)?.trigger ?? price;
  if (!isReducible(free.minus(quantity), Decimal.min(price, restStop), rules)) quantity = free;
  return isReducible(quantity, price, rules) ? quantity : null;
}

function partOf({ position }: Execution, { percent }: ExitLeg, free: Decimal, shares: number): Decimal {
  if (percent === null) return free.dividedBy(Decimal.read(String(shares)), quotientPlaces, 'floor');
  const part = percentOf(position.quantity, percent);
  return part.compare(free) > 0 ? free : part;
}

/** The targets that stand on the exchange before their price is reached, with what each will sell; none while entries are bought. */
export function restingTargets(execution: Execution): ExitLeg[] {
  const { stopOnExchange, entries, targets } = execution;
  if (execution.restingTargets !== 'all' || !stopOnExchange || !hasEntered(execution)) return [];
  if (entries.some(({ state }) => state === 'armed')) return [];
  const waiting = targets.filter(({ state }) => state === 'waiting');
  const resting: ExitLeg[] = [];
  let rest = execution;
  for (const [n, leg] of waiting.entries()) {
    // What is sold at market is not ordered before, and decides what is left for those behind it.
    if (leg.type === 'market') break;
    const quantity = quantityOfTarget(rest, leg, waiting.length - n - 1);
    if (!quantity) continue;
    // One that the exchange has refused or ended is watched: it is ordered when its price is reached.
    if (!execution.refusals[leg.id] && isNearMarket(execution, leg)) resting.push({ ...leg, quantity });
    const { position } = rest;
    rest = { ...rest, position: { ...position, quantity: position.quantity.minus(quantity) } };
  }
  return resting;
}

/** The order that was stop and target in one, while it sells at its target: its stop is gone. */
export const sellingPair = ({ orders }: Pick<Execution, 'orders'>): StandingOrder | undefined =>
  orders.find(({ isAtTarget, state }) => isAtTarget && state === 'placed');

/**
 * The last target, if one order is to be stop and target in one; otherwise null. A stop that follows the price stands alone, because
 * only then the exchange moves it in one request. A refusal of such an order leaves the stop alone for a while.
 */
export function pairedTarget(execution: Execution): ExitLeg | null {
  const { targets, stop, side, lastPrice, orders, refusals } = execution;
  if (execution.restingTargets !== 'last' || !stop || stop.trailing || refusals.pair) return null;
  if (orders.some(({ isAtTarget }) => isAtTarget)) return null;
  const last = targets.findLast(({ state }) => state === 'waiting');
  if (last?.type !== 'limit' || (last.percent && last.percent.compare(hundred) < 0)) return null;
  if (restsWithStop(execution, last)) return last;
  return (lastPrice && isAtOrBetter(side, lastPrice, last.price)) || !isNearMarket(execution, last)
    ? null
    : last;
}

/** Whether the exchange takes an order at the price of a target now, or it stands there already. */
function isNearMarket(execution: Execution, target: ExitLeg): boolean {
  const { lastPrice: market, rules, orders } = execution;
  const price = targetOrderPrice(execution, target);
  if (!market || orders.some(({ leg, state }) => leg === target.id && state === 'placed')) return true;
  return priceInBand(price, exitSideOf(execution), { market, rules }).compare(price) === 0;
}

/** Whether a target stands on the exchange in one order with the stop, which sells all there is. */
export const restsWithStop = (execution: Execution, target: ExitLeg): boolean =>
  execution.orders.some(
    ({ state, targetPrice, isAtTarget }) =>
      state === 'placed' && !isAtTarget && targetPrice?.compare(targetOrderPrice(execution, target)) === 0,
  );

const hundred = Decimal.parse('100');

/** The price of the order of a target. */
export const targetOrderPrice = (execution: Execution, { price }: Pick<ExitLeg, 'price'>): Decimal =>
  priceOnTick(price, exitSideOf(execution), execution.rules);
