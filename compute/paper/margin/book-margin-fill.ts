import { Decimal } from '../../model/decimal.js';
import type { PaperFill } from '../paper-order.js';
import {
  positionOf,
  sizeOf,
  withPosition,
  type MarginAccount,
  type MarginOrder,
  type MarginPosition,
} from './margin-account.js';
import { unlockedOf } from './margin-money.js';

/** Decimal places of a part of a value. */
const places = 12;

/** The account after a trade of one of its orders. The events of the order contain the trade already. */
export function bookMarginFill(
  account: MarginAccount,
  order: MarginOrder,
  fill: PaperFill,
  at: number,
): MarginAccount {
  const booked = order.reduces ? reduced(account, order, fill, at) : increased(account, order, fill, at);
  return feeCovered({ ...booked, wallet: booked.wallet.minus(fill.quoteFee) }, order);
}

/** The fill with its part of the funding of the position that it reduces. */
export function withFunding(account: MarginAccount, order: MarginOrder, fill: PaperFill): PaperFill {
  const position = positionOf(account, order.pair);
  if (!order.reduces || !position || position.funding.sign === 0) return fill;
  return { ...fill, funding: partOf(position.funding, fill.quantity, position) };
}

/** The part of an amount that belongs to a quantity of a position; for the whole position, exactly the amount. */
function partOf(amount: Decimal, quantity: Decimal, position: MarginPosition): Decimal {
  const size = sizeOf(position.quantity);
  if (quantity.compare(size) === 0) return amount;
  return amount.times(quantity).dividedBy(size, places, 'half-even');
}

function increased(account: MarginAccount, order: MarginOrder, fill: PaperFill, at: number): MarginAccount {
  const { pair, side, mode, leverage, marginEach, owner } = order;
  const value = fill.quantity.times(fill.price);
  const locked = fill.quantity.times(marginEach);
  const needed = value.dividedBy(Decimal.read(String(leverage)), places, 'ceil');
  const added = side === 'buy' ? fill.quantity : fill.quantity.negated();
  const before = positionOf(account, pair) ?? nothing(order, at);
  return withPosition(account, {
    ...before,
    quantity: before.quantity.plus(added),
    entryValue: before.entryValue.plus(value),
    // A sale that is filled above its price is worth more than the order has locked margin for.
    margin: before.margin.plus(needed.compare(locked) < 0 ? needed : locked),
    mode,
    owners: before.owners.includes(owner) ? before.owners : [...before.owners, owner],
    changedAt: at,
  });
}

const nothing = ({ pair, mode }: MarginOrder, at: number): MarginPosition => ({
  pair,
  mode,
  quantity: Decimal.zero,
  entryValue: Decimal.zero,
  margin: Decimal.zero,
  owners: [],
  fundedUntil: at,
  funding: Decimal.zero,
  changedAt: at,
});

/** Closes a part of the position: its gain goes to the wallet, and its part of the margin becomes free. */
function reduced(account: MarginAccount, { pair }: MarginOrder, fill: PaperFill, at: number): MarginAccount {
  const before = positionOf(account, pair)!;
  const [entry, margin] = [before.entryValue, before.margin].map((amount) =>
    partOf(amount, fill.quantity, before),
  );
  const value = fill.quantity.times(fill.price);
  const isLong = before.quantity.sign > 0;
  const gain = isLong ? value.minus(entry) : entry.minus(value);
  const position = {
    ...before,
    quantity: isLong ? before.quantity.minus(fill.quantity) : before.quantity.plus(fill.quantity),
    entryValue: before.entryValue.minus(entry),
    margin: before.margin.minus(margin),
    funding: before.funding.minus(fill.funding ?? Decimal.zero),
    changedAt: at,
  };
  return withPosition({ ...account, wallet: account.wallet.plus(gain) }, position);
}

/** Takes a fee or loss that the free part of the wallet does not cover out of the margin of the position. */
function feeCovered(account: MarginAccount, { pair }: MarginOrder): MarginAccount {
  const missing = unlockedOf(account).negated();
  const position = positionOf(account, pair);
  if (!position || missing.sign <= 0) return account;
  const margin = missing.compare(position.margin) < 0 ? position.margin.minus(missing) : Decimal.zero;
  return withPosition(account, { ...position, margin });
}
