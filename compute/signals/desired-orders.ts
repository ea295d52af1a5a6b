import { Decimal } from '../model/decimal.js';
import {
  hasEntered,
  isEnded,
  type Execution,
  type OrderSide,
  type OrderTerms,
  type StandingOrder,
} from './execution.js';
import { exitSideOf, isAtOrWorse } from './execution-side.js';
import { heldBackStop, stopOrderPrice } from './held-back-stop.js';
import {
  isReducible,
  leastReduced,
  priceInBand,
  priceOnTick,
  quantityOnStep,
  quotientPlaces,
} from '../model/pair-rules.js';
import {
  atTargetMs,
  pairedTarget,
  restingTargets,
  sellingPair,
  targetOrderPrice,
  toClose,
} from './target-quantity.js';

/**
 * After this many refused orders in a row an entry is withdrawn, a stop is watched here until it is offered again, and a position is
 * closed at market instead of at a limit.
 */
export const maxRefusals = 3;

const entrySideOf = ({ side }: Pick<Execution, 'side'>): OrderSide => (side === 'long' ? 'buy' : 'sell');

/**
 * The orders that should stand now, one for each leg, exits first. They follow from the state alone, so the sequence of events
 * does not matter. An order that stands already matters only where it may stay as it is; `matchOrders` compares the rest.
 */
export function desiredOrders(execution: Execution, at: number): OrderTerms[] {
  if (isEnded(execution)) return [];
  const withinMost = (terms: OrderTerms) => atMost(execution, terms);
  if (execution.status === 'closing') return closingOrders(execution).map(withinMost);
  const targets = targetOrders(execution).map(withinMost);
  const others = [...stopOrder(execution, targets, at), ...entryOrders(execution)];
  return [...targets, ...others.map(withinMost)];
}

/** An order of no more than the exchange takes at once. The rest is ordered when that order has ended. */
function atMost({ rules, orders }: Execution, terms: OrderTerms): OrderTerms {
  const { maxQuantity, maxMarketQuantity = maxQuantity } = rules;
  const largest = terms.price ? maxQuantity : maxMarketQuantity;
  if (!largest || orders.some((order) => order === terms)) return terms;
  const most = quantityOnStep(largest, rules);
  const standing = orders.find(
    ({ leg, state, quantity }) => leg === terms.leg && state === 'placed' && quantity.compare(most) === 0,
  );
  const quantity = standing ? standing.quantity.minus(standing.filled) : most;
  return terms.quantity.compare(quantity) <= 0 ? terms : { ...terms, quantity };
}

function closingOrders(execution: Execution): OrderTerms[] {
  const { close, orders, rules, lastPrice: market } = execution;
  const resting = orders.find(({ leg }) => leg === 'stop');
  if (close!.leaveToStopUntil !== null && resting) return [resting];
  const side = exitSideOf(execution);
  const whole = quantityOnStep(toClose(execution), rules);
  const quantity = acceptedPart(execution, whole);
  const limit = close!.limit && priceOnTick(close!.limit, side, rules);
  // At a limit far from the market the order may be worth less than the exchange accepts, or the price be refused: it is sold at market then.
  const near = limit && market && priceInBand(limit, side, { market, rules });
  const isFar = near && isAtOrWorse(execution.side, limit, near) && near.compare(limit) !== 0;
  const price = limit && !isFar && isReducible(quantity, limit, rules) ? limit : null;
  if (quantity.compare(leastReduced(rules)) < 0 || (!price && isStranded(execution))) return [];
  const type = price ? 'limit' : 'market';
  return [{ leg: 'close', side, type, price, stopPrice: null, quantity, reduces: true }];
}

const mostHalvings = 10;

/**
 * A smaller part each time, where the exchange has refused larger ones: "Your order quantity to sell is too large. The filled price may
 * deviate significantly from the market price" (170198 of bybit docs/v5/error).
 */
function acceptedPart({ refusals, rules, lastPrice }: Execution, whole: Decimal): Decimal {
  const halvings = Math.min(mostHalvings, (refusals.close?.count ?? 0) - maxRefusals);
  if (halvings <= 0 || !lastPrice) return whole;
  const part = quantityOnStep(
    whole.dividedBy(Decimal.read(String(2 ** halvings)), quotientPlaces, 'floor'),
    rules,
  );
  const isRestSellable = isReducible(whole.minus(part), lastPrice, rules);
  return isRestSellable && isReducible(part, lastPrice, rules) ? part : whole;
}

/**
 * Whether a position that is being closed is worth less than the exchange accepts, and the exchange has refused to sell it: it
 * is sold as soon as it is worth enough.
 */
export function isStranded({ close, position, rules, lastPrice, refusals }: Execution): boolean {
  if (!close || !lastPrice || (refusals.close?.count ?? 0) < mostSmallOrders) return false;
  return !isReducible(quantityOnStep(position.quantity, rules), lastPrice, rules);
}

/** How often a position is offered at market although it seems to be worth too little: exchanges compare with an average price. */
const mostSmallOrders = 3;

/**
 * The orders of the targets that are reached or rest on the exchange, together no more than the position. A rest that the exchange would
 * refuse is not ordered anew.
 */
function targetOrders(execution: Execution): OrderTerms[] {
  const { orders, rules, targets, lastPrice } = execution;
  const side = exitSideOf(execution);
  let left = toClose(execution);
  return [...targets.filter(({ state }) => state === 'armed'), ...restingTargets(execution)]
    .map(({ id, type, price, quantity, filled }) => {
      const due = quantity!.minus(filled);
      const sold = quantityOnStep(due.compare(left) > 0 ? left : due, rules);
      left = left.minus(sold);
      const limit = type === 'limit' ? priceOnTick(price, side, rules) : null;
      return { leg: id, side, type, price: limit, stopPrice: null, quantity: sold, reduces: true };
    })
    .filter(
      ({ leg, quantity, price }) =>
        isReducible(quantity, price ?? lastPrice!, rules) ||
        (quantity.sign > 0 && orders.some((order) => order.leg === leg)),
    );
}

/** The stop order for the part of the position that no target sells; for all of it where targets stand beside the stop. */
function stopOrder(execution: Execution, targets: OrderTerms[], at: number): OrderTerms[] {
  const { stop, stopOnExchange, rules, refusals } = execution;
  if (!stop || !hasEntered(execution)) return [];
  const side = exitSideOf(execution);
  const beside = execution.restingTargets === 'all' ? [] : targets;
  const free = beside.reduce((left, { quantity }) => left.minus(quantity), toClose(execution));
  const { count = 0, retryAt = 0 } = refusals.stop ?? {};
  const isPausing = count >= maxRefusals && at < retryAt;
  if (!stopOnExchange || isPausing) return leftStanding(execution, free);
  const quantity = quantityOnStep(free, rules);
  const stopPrice = stopOrderPrice(execution)!;
  const limit = stop.limit && priceOnTick(stop.limit, side, rules);
  // The market is there when the stop is reached.
  const price = limit && priceInBand(limit, side, { market: stopPrice, rules });
  const isProtectable = isReducible(quantity, price ?? stopPrice, rules);
  const selling = sellingPair(execution);
  if (selling && (!isProtectable || at < sellsUntil(execution))) return [selling];
  if (!isProtectable) return [];
  const target = pairedTarget(execution);
  const targetPrice = target && { targetPrice: targetOrderPrice(execution, target) };
  const terms = { leg: 'stop', side, type: 'stop', price, stopPrice, quantity, reduces: true } as const;
  const wanted: OrderTerms = { ...terms, ...targetPrice };
  return [heldBackStop(execution, wanted, at) ?? wanted];
}

/** Until when an order that was stop and target in one may sell at its target, where its stop is gone. */
export const sellsUntil = ({ targets }: Execution): number =>
  (targets.findLast(({ state }) => state === 'waiting')?.triedAt ?? 0) + atTargetMs;

/** An earlier stop order on the exchange stays where a better one was refused: it protects more than none. */
const leftStanding = ({ orders }: Execution, free: Decimal): StandingOrder[] =>
  orders
    .filter(({ leg, state }) => leg === 'stop' && state === 'placed')
    .filter(({ quantity, filled }) => quantity.minus(filled).compare(free) <= 0)
    .slice(0, 1);

/** A worst price that the exchange would refuse is replaced by the nearest one that is better. */
function entryPrice({ lastPrice: market, rules }: Execution, worst: Decimal, side: OrderSide): Decimal {
  const near = market ? priceInBand(worst, side, { market, rules }) : worst;
  return near.compare(worst) * (side === 'buy' ? 1 : -1) < 0 ? near : worst;
}

function entryOrders(execution: Execution): OrderTerms[] {
  const side = entrySideOf(execution);
  return execution.entries
    .filter(({ state }) => state === 'armed')
    .map(({ id, type, price, worst = price, quantity, filled }) => ({
      leg: id,
      side,
      type,
      price: entryPrice(execution, priceOnTick(worst, side, execution.rules), side),
      stopPrice: null,
      quantity: quantityOnStep(quantity!.minus(filled), execution.rules),
      reduces: false,
    }));
}
