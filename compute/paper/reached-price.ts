import { Decimal } from '../model/decimal.js';
import type { MarketTick } from '../model/market-tick.js';
import type { PaperOrder, PaperProgress } from './paper-order.js';
import type { MatchMarket } from './paper-terms.js';

/** The price at which a tick fills an order, and whether the order waited for it in the book. */
export interface ReachedPrice {
  readonly price: Decimal;
  readonly isMaker: boolean;
}

/** `triggered`: a stop order whose price was reached and whose limit was not. `expired`: why the exchange ends the order. */
export type TickEffect = ReachedPrice | 'triggered' | { readonly expired: string };

/** The part of a tick that counts for an order: its whole range, or only its price if the order is newer than the range. */
interface SeenRange {
  readonly price: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  /** Whether it is the first tick after the order was placed. */
  readonly isFirst: boolean;
}

/**
 * The price at which a tick fills an order, or what else the tick does to it; null for nothing. If the level of the order is
 * within the range of the tick, the order is filled at the level. If the price has jumped over the level, so that the whole range
 * is beyond it, the order is filled at the price of the tick.
 */
export function reachedPrice(
  order: PaperOrder,
  progress: PaperProgress,
  tick: MarketTick,
  market: MatchMarket,
): TickEffect | null {
  const seen = seenRange(order, progress, tick);
  if (order.type === 'limit') return limitPrice(order, order.price!, seen);
  if (order.type === 'market') return marketPrice(order, seen.price, market);
  if (progress.isTriggered)
    return order.price
      ? limitPrice(order, order.price, { ...seen, isFirst: false })
      : marketPrice(order, seen.price, market);
  return stopPrice(order, seen, market);
}

function seenRange({ placedAt }: PaperOrder, { lastAt }: PaperProgress, tick: MarketTick): SeenRange {
  const { price, high, low, since } = tick;
  const isFirst = lastAt === null && placedAt >= since;
  const isWhole = !isFirst && (lastAt ?? placedAt) <= since;
  return isWhole ? { price, high, low, isFirst } : { price, high: price, low: price, isFirst };
}

/** The fill of a limit order: a purchase at `level` or below, a sale at `level` or above. */
function limitPrice({ side }: PaperOrder, level: Decimal, seen: SeenRange): ReachedPrice | null {
  const isMaker = !seen.isFirst;
  const [near, far] = side === 'buy' ? [seen.low, seen.high] : [seen.high, seen.low];
  const isPast = (price: Decimal) => price.compare(level) * (side === 'buy' ? 1 : -1) < 0;
  if (!isPast(near) && near.compare(level) !== 0) return null;
  return { price: isPast(far) ? seen.price : isMaker ? level : seen.price, isMaker };
}

/** The effect on a stop order. A purchase is triggered at its stop price or above, a sale at its stop price or below. */
function stopPrice(order: PaperOrder, seen: SeenRange, market: MatchMarket): TickEffect | null {
  const { side, price, stopPrice: level } = order;
  const [near, far] = side === 'buy' ? [seen.high, seen.low] : [seen.low, seen.high];
  const isPast = (one: Decimal) => one.compare(level!) * (side === 'buy' ? 1 : -1) > 0;
  if (!isPast(near) && near.compare(level!) !== 0) return null;
  const reached = isPast(far) || seen.isFirst ? seen.price : level!;
  if (!price) return marketPrice(order, reached, market);
  const isWithin = reached.compare(price) * (side === 'buy' ? 1 : -1) <= 0;
  return isWithin ? { price: reached, isMaker: false } : 'triggered';
}

/** The price with slippage. A purchase that would cost more than it has locked expires. */
function marketPrice(
  { side, bound, price: worst }: PaperOrder,
  price: Decimal,
  market: MatchMarket,
): TickEffect {
  const paid = withSlippage(price, side, market);
  if (worst && paid.compare(worst) * (side === 'buy' ? 1 : -1) > 0)
    return { expired: `the price is ${String(paid)}, worse than ${String(worst)}` };
  if (bound && paid.compare(bound) > 0)
    return {
      expired: `the price moved to ${String(paid)}, above the ${String(bound)} that the order could cost at most`,
    };
  return { price: paid, isMaker: false };
}

/** The price at which an order at market is filled when the market is at `price`. */
export function withSlippage(price: Decimal, side: 'buy' | 'sell', { rules, terms }: MatchMarket): Decimal {
  const { slippage } = terms;
  if (side === 'buy') return price.times(Decimal.one.plus(slippage)).toStep(rules.tickSize, 'ceil');
  const paid = price.times(Decimal.one.minus(slippage)).toStep(rules.tickSize, 'floor');
  return paid.sign > 0 ? paid : rules.tickSize;
}
