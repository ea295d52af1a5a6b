import { Decimal } from '../model/decimal.js';
import type { MarketTick } from '../model/market-tick.js';
import { quantityOnStep } from '../model/pair-rules.js';
import type { PaperEvent, PaperFill, PaperOrder, PaperProgress } from './paper-order.js';
import { reachedPrice } from './reached-price.js';
import type { MatchMarket } from './paper-terms.js';

/** Places of a fee. */
const feePlaces = 12;

/**
 * What a tick does to an order; null when nothing. It depends on the order, its own progress and the tick alone, so the same
 * ticks give the same fills whatever other orders there are. A tick that is not later than the last event of the order does
 * nothing: a tick that comes again fills nothing twice.
 */
export function matchOrder(
  order: PaperOrder,
  progress: PaperProgress,
  tick: MarketTick,
  market: MatchMarket,
): PaperEvent | null {
  if (progress.end !== null) return null;
  if (tick.at <= order.placedAt || tick.at <= (progress.lastAt ?? -Infinity)) return null;
  const reached = reachedPrice(order, progress, tick, market);
  if (reached === null) return null;
  const number = progress.next;
  const { at } = tick;
  if (reached === 'triggered') return { number, kind: 'triggered', fill: null, end: null, reason: null, at };
  if ('expired' in reached)
    return { number, kind: 'end', fill: null, end: 'expired', reason: reached.expired, at };
  const left = order.quantity.minus(progress.filled);
  const depth = depthOf(tick, market);
  const quantity = depth === null ? left : Decimal.min(left, depth);
  const fill = fillOf(order, quantity, reached.price, reached.isMaker, market);
  const isDone = quantity.compare(left) === 0;
  return { number, kind: 'fill', fill, end: isDone ? 'filled' : null, reason: null, at };
}

/** How much of an order one tick fills: a share of its volume on the step, and at least the smallest quantity. */
function depthOf({ volume }: MarketTick, { rules, terms }: MatchMarket): Decimal | null {
  if (volume === null) return null;
  const share = quantityOnStep(volume.times(terms.volumeShare), rules);
  const least = rules.minQuantity.compare(rules.stepSize) > 0 ? rules.minQuantity : rules.stepSize;
  return share.compare(least) < 0 ? least : share;
}

/** A purchase pays its fee in the base asset, a sale in the quote asset; fees are rounded up. */
function fillOf(
  { side }: PaperOrder,
  quantity: Decimal,
  price: Decimal,
  isMaker: boolean,
  { terms }: MatchMarket,
): PaperFill {
  const rate = isMaker ? terms.makerFee : terms.takerFee;
  const received = side === 'buy' ? quantity : quantity.times(price);
  const fee = received.times(rate).round(feePlaces, 'ceil');
  return {
    quantity,
    price,
    baseFee: side === 'buy' ? fee : Decimal.zero,
    quoteFee: side === 'sell' ? fee : Decimal.zero,
  };
}
