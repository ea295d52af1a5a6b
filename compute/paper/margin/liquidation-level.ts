import { Decimal } from '../../model/decimal.js';
import { pairName } from '../../model/market-pair.js';
import { quotientPlaces, type PairRules } from '../../model/pair-rules.js';
import { sizeOf, type MarginAccount, type MarginPosition, type PairPrices } from './margin-account.js';
import { marginBrackets, type MarginBracket } from './margin-brackets.js';
import { backingOf, surplusOf } from './margin-money.js';

/**
 * The price at which a position is liquidated: there its backing and its gain are worth no more than its maintenance margin. It
 * is rounded to the tick towards the entry, and null if there is no such price above 0. Other pairs count at their last prices.
 *
 * For a long (entryValue - backing - deduction) / (quantity x (1 - rate)), for a short (entryValue + backing + deduction) /
 * (quantity x (1 + rate)), in the bracket in which the value at this price lies: the formula that Binance publishes for one-way
 * positions.
 */
export const liquidationLevel = (
  account: MarginAccount,
  position: MarginPosition,
  prices: PairPrices,
  rules: PairRules,
): Decimal | null => levelFor(position, backingOf(account, position, prices), rules);

/**
 * The price before which a position cannot cause a liquidation, however other pairs move. An isolated position is liquidated
 * exactly there. Of n cross positions, each may lose an n-th of their common backing before any liquidation is possible.
 */
export function earliestLiquidationLevel(
  account: MarginAccount,
  position: MarginPosition,
  prices: PairPrices,
  rules: PairRules,
): Decimal | null {
  const cross = account.positions.filter(({ mode }) => mode === 'CROSS');
  const backing = backingOf(account, position, prices);
  if (position.mode === 'ISOLATED' || cross.length === 1) return levelFor(position, backing, rules);
  const own = surplusOf(position, prices);
  const share = backing.plus(own).dividedBy(Decimal.read(String(cross.length)), quotientPlaces, 'floor');
  return levelFor(position, share.minus(own), rules);
}

function levelFor(position: MarginPosition, backing: Decimal, rules: PairRules): Decimal | null {
  const size = sizeOf(position.quantity);
  const isLong = position.quantity.sign > 0;
  for (const bracket of marginBrackets) {
    const price = priceIn(bracket, position, backing);
    const value = size.times(price);
    const isWithin = value.compare(bracket.from) > 0 && value.compare(bracket.to) <= 0;
    if (!isWithin && bracket !== marginBrackets.at(-1)) continue;
    const level = price.toStep(rules.tickSize, isLong ? 'ceil' : 'floor');
    return level.sign > 0 ? level : null;
  }
  return null;
}

function priceIn(
  { rate, deduction }: MarginBracket,
  { quantity, entryValue }: MarginPosition,
  backing: Decimal,
): Decimal {
  const cushion = backing.plus(deduction);
  return quantity.sign > 0
    ? entryValue.minus(cushion).dividedBy(quantity.times(Decimal.one.minus(rate)), quotientPlaces, 'ceil')
    : entryValue
        .plus(cushion)
        .dividedBy(sizeOf(quantity).times(Decimal.one.plus(rate)), quotientPlaces, 'floor');
}

/** Whether a price is at a level or beyond it, in the direction in which the position loses money. */
export const isBeyond = ({ quantity }: MarginPosition, price: Decimal, level: Decimal): boolean =>
  price.compare(level) * quantity.sign <= 0;

/** The last price of the pair of a position; if that is unknown, the average price at which the position was opened. */
export const lastPriceOf = ({ pair, entryValue, quantity }: MarginPosition, prices: PairPrices): Decimal =>
  prices.get(pairName(pair)) ?? entryValue.dividedBy(sizeOf(quantity), quotientPlaces, 'half-even');
