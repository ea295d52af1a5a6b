import { Decimal } from '../../model/decimal.js';
import { pairName } from '../../model/market-pair.js';
import { wrongOrder } from '../admit-order.js';
import { withSlippage } from '../reached-price.js';
import {
  openOrdersOf,
  positionOf,
  sizeOf,
  type MarginAccount,
  type MarginOrder,
  type PairPrices,
} from './margin-account.js';
import { mostValueAt } from './margin-brackets.js';
import { freeMargin, leftOf } from './margin-money.js';
import type { MarginMarket } from './margin-terms.js';

/** The facts, beside the order and the account, on which the decision depends. */
export interface MarginFacts extends MarginMarket {
  /** The last price of the pair; null if it is missing or too old. */
  readonly lastPrice: Decimal | null;
  readonly prices: PairPrices;
}

/** An order before the paper exchange has accepted it. */
export type OfferedMarginOrder = Omit<MarginOrder, 'bound' | 'marginEach' | 'events' | 'isLiquidation'>;

const places = 12;

/** The order as the paper exchange accepts it, or the reason why it refuses the order. */
export function admitMarginOrder(
  order: OfferedMarginOrder,
  account: MarginAccount,
  facts: MarginFacts,
): MarginOrder | { refused: string } {
  const refused =
    wrongOrder(order, facts) ??
    (order.reduces ? wrongReduction(order, account) : wrongOpening(order, account));
  if (refused !== null) return { refused };
  const taken = { ...order, bound: null, marginEach: Decimal.zero, events: [], isLiquidation: false };
  return order.reduces ? taken : opening(taken, account, facts);
}

/** Why an order cannot reduce the position; null if it can. All such orders together never exceed the position. */
function wrongReduction(order: OfferedMarginOrder, account: MarginAccount): string | null {
  const position = positionOf(account, order.pair);
  const isAgainst = position && position.quantity.sign > 0 === (order.side === 'sell');
  if (!isAgainst) return `there is no position of ${pairName(order.pair)} that a ${order.side} would reduce`;
  const onSale = openOrdersOf(account, order.pair).filter(({ reduces }) => reduces);
  const left = onSale.reduce((rest, each) => rest.minus(leftOf(each)), sizeOf(position.quantity));
  if (order.quantity.compare(left) <= 0) return null;
  return `the order closes ${String(order.quantity)}, but only ${String(left)} of the position are not in other orders`;
}

/** Why an order cannot open or add to a position; null if it can. A pair has one position, either long or short. */
function wrongOpening(order: OfferedMarginOrder, account: MarginAccount): string | null {
  const { pair, side, leverage, mode } = order;
  if (!Number.isInteger(leverage) || leverage < 1 || mostValueAt(leverage) === null)
    return `the leverage must be a whole number from 1 to 125, found ${leverage}`;
  const position = positionOf(account, pair);
  const openings = openOrdersOf(account, pair).filter(({ reduces }) => !reduces);
  const isOther = position
    ? position.quantity.sign > 0 !== (side === 'buy')
    : openings.some((each) => each.side !== side);
  if (isOther)
    return `the account is on the other side of ${pairName(pair)}; it holds one position of a pair`;
  const modes = [...(position ? [position.mode] : []), ...openings.map((each) => each.mode)];
  const other = modes.find((each) => each !== mode);
  return other ? `the position of ${pairName(pair)} is ${other}; an order cannot be ${mode}` : null;
}

function opening(
  order: MarginOrder,
  account: MarginAccount,
  facts: MarginFacts,
): MarginOrder | { refused: string } {
  const { quantity, leverage, mode } = order;
  const free = freeMargin(account, facts.prices, mode);
  const bound = order.side === 'buy' ? boundOf(order, free, facts) : null;
  const each = bound ?? order.price ?? order.stopPrice ?? facts.lastPrice!;
  const tooLarge = aboveBracket(order, each, account);
  if (tooLarge !== null) return { refused: tooLarge };
  const marginEach = each.dividedBy(Decimal.read(String(leverage)), places, 'ceil');
  const needed = marginEach.times(quantity);
  if (needed.compare(free) <= 0) return { ...order, bound, marginEach };
  const { quote } = order.pair;
  return { refused: `the order needs ${String(needed)} ${quote}, and ${String(free)} ${quote} are free` };
}

/** Why the order is too large for its leverage; null if it is not. The position and open orders count, too. */
function aboveBracket({ pair, quantity, leverage }: MarginOrder, each: Decimal, account: MarginAccount) {
  const ordered = openOrdersOf(account, pair).filter(({ reduces }) => !reduces);
  const held = positionOf(account, pair)?.entryValue ?? Decimal.zero;
  const worth = ordered.reduce(
    (sum, other) =>
      sum.plus(other.marginEach.times(leftOf(other)).times(Decimal.read(String(other.leverage)))),
    held.plus(each.times(quantity)),
  );
  const most = mostValueAt(leverage)!;
  if (worth.compare(most) <= 0) return null;
  return `a position with a leverage of ${leverage} is worth at most ${String(most)} ${pair.quote}`;
}

/** The highest price that a purchase may pay, as on SPOT, with the free margin and the leverage. */
function boundOf(order: MarginOrder, free: Decimal, facts: MarginFacts): Decimal {
  const { price, stopPrice, quantity, leverage } = order;
  if (price) return price;
  const start = stopPrice ?? facts.lastPrice!;
  const most = start.times(Decimal.one.plus(facts.terms.marketBuffer));
  const least = withSlippage(start, 'buy', facts);
  const affordable = free.times(Decimal.read(String(leverage))).dividedBy(quantity, places, 'floor');
  if (affordable.compare(least) < 0) return least;
  return affordable.compare(most) < 0 ? affordable : most;
}
