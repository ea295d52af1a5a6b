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

/** Places of a part of a value. */
const places = 12;

/** The account after a trade of one of its orders, which has the trade among its events already. */
export function bookMarginFill(
  account: MarginAccount,
  order: MarginOrder,
  fill: PaperFill,
  at: number,
): MarginAccount {
  const booked = order.reduces ? reduced(account, order, fill, at) : increased(account, order, fill, at);
  return feeCovered({ ...booked, wallet: booked.wallet.minus(fill.quoteFee) }, order);
}

function increased(account: MarginAccount, order: MarginOrder, fill: PaperFill, at: number): MarginAccount {
  const { pair, side, mode, leverage, marginEach, owner } = order;
  const value = fill.quantity.times(fill.price);
  const locked = fill.quantity.times(marginEach);
  const needed = value.dividedBy(Decimal.read(String(leverage)), places, 'ceil');
  const added = side === 'buy' ? fill.quantity : Decimal.zero.minus(fill.quantity);
  const before = positionOf(account, pair) ?? nothing(order, at);
  return withPosition(account, {
    ...before,
    quantity: before.quantity.plus(added),
    entryValue: before.entryValue.plus(value),
    // A sale above its price is worth more than it has locked margin for.
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

/** A part of the position is closed: its gain goes to the wallet, and its part of the margin is free. */
function reduced(account: MarginAccount, { pair }: MarginOrder, fill: PaperFill, at: number): MarginAccount {
  const before = positionOf(account, pair)!;
  const size = sizeOf(before.quantity);
  const isAll = fill.quantity.compare(size) === 0;
  const partOf = (amount: Decimal) =>
    isAll ? amount : amount.times(fill.quantity).dividedBy(size, places, 'half-even');
  const [entry, margin] = [partOf(before.entryValue), partOf(before.margin)];
  const value = fill.quantity.times(fill.price);
  const isLong = before.quantity.sign > 0;
  const gain = isLong ? value.minus(entry) : entry.minus(value);
  const position = {
    ...before,
    quantity: isLong ? before.quantity.minus(fill.quantity) : before.quantity.plus(fill.quantity),
    entryValue: before.entryValue.minus(entry),
    margin: before.margin.minus(margin),
    changedAt: at,
  };
  return withPosition({ ...account, wallet: account.wallet.plus(gain) }, position);
}

/** A fee, or a loss, that the free part of the wallet does not cover comes out of the margin of the position. */
function feeCovered(account: MarginAccount, { pair }: MarginOrder): MarginAccount {
  const missing = Decimal.zero.minus(unlockedOf(account));
  const position = positionOf(account, pair);
  if (!position || missing.sign <= 0) return account;
  const margin = missing.compare(position.margin) < 0 ? position.margin.minus(missing) : Decimal.zero;
  return withPosition(account, { ...position, margin });
}
