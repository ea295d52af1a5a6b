import { Decimal } from '../model/decimal.js';
import type { MarketTick } from '../model/market-tick.js';
import { quantityOnStep } from '../model/pair-rules.js';
import type { PaperEvent, PaperFill, PaperOrder, PaperProgress } from './paper-order.js';
import { reachedPrice } from './reached-price.js';
import type { MatchMarket } from './paper-terms.js';

/** The fees of a trade; `rate` is a share of its value. */
export type TradeFees = (
  side: PaperOrder['side'],
  quantity: Decimal,
  price: Decimal,
  rate: Decimal,
) => Pick<PaperFill, 'baseFee' | 'quoteFee'>;

const feePlaces = 12;

/** A share of an amount, rounded up. */
export const roundedFee = (amount: Decimal, rate: Decimal): Decimal =>
  amount.times(rate).round(feePlaces, 'ceil');

/**
 * What a tick does to an order; null if nothing. It depends only on the order, its own progress and the tick, so the same ticks
 * give the same fills, whatever other orders exist. A tick that is not later than the last event of the order does nothing, so a
 * tick that is repeated fills nothing twice.
 */
export function matchOrder(
  order: PaperOrder,
  progress: PaperProgress,
  tick: MarketTick,
  market: MatchMarket,
  feesOf: TradeFees = feeOnReceipt,
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
  const { price, isMaker } = reached;
  const rate = isMaker ? market.terms.makerFee : market.terms.takerFee;
  const fill = { quantity, price, ...feesOf(order.side, quantity, price, rate) };
  if (quantity.compare(left) === 0) return { number, kind: 'fill', fill, end: 'filled', reason: null, at };
  // An order at market with a worst price takes what is there at once, and no more.
  const isOver = order.type === 'market' && order.price !== null;
  const reason = isOver ? 'no more was offered at once' : null;
  return { number, kind: 'fill', fill, end: isOver ? 'expired' : null, reason, at };
}

/** How much of an order a tick fills at most: a share of its volume, and at least the minimum quantity; null: no limit. */
function depthOf({ volume }: MarketTick, { rules, terms }: MatchMarket): Decimal | null {
  if (volume === null) return null;
  const share = quantityOnStep(volume.times(terms.volumeShare), rules);
  const least = rules.minQuantity.compare(rules.stepSize) > 0 ? rules.minQuantity : rules.stepSize;
  return share.compare(least) < 0 ? least : share;
}

/** A purchase pays its fee in the base asset, a sale in the quote asset; fees are rounded up. */
const feeOnReceipt: TradeFees = (side, quantity, price, rate) => {
  const received = side === 'buy' ? quantity : quantity.times(price);
  const fee = roundedFee(received, rate);
  return side === 'buy' ? { baseFee: fee, quoteFee: Decimal.zero } : { baseFee: Decimal.zero, quoteFee: fee };
};
